import { CalibrationQuery, calibrations, dueStates } from '@isotherm/contract/calibrations.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'
import { ExportPage } from '../../../shared/export/export-page.tsx'
import { AddButton } from '../../../ui/add-button.tsx'
import { ExportButton } from '../../../ui/list/export-button.tsx'
import { ListView } from '../../../ui/list/list-view.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { useBegin } from '../../../ui/use-begin.ts'
import { CalibrationDialog } from '../parts/calibration-dialog.tsx'
import { useCalibrationActions } from '../parts/use-calibration-actions.tsx'
import { useCalibrationColumns } from '../parts/use-calibration-columns.tsx'

/** The register of calibration certificates: those due first. */
export function CalibrationListPage() {
  const { t } = useTranslation('calibrations')
  const params = useListParams({ sort: CalibrationQuery.shape.sort, filters: { due: dueStates } })
  const mayEdit = useCan('dispatch.addOrEdit')
  const mayExport = useCan('dispatch.export')
  // A certificate is of a device: who sees none cannot choose one.
  const mayAdd = useCan('devices.view') && mayEdit
  const [isAdding, setAdding] = useState(false)
  const answer = useCall(calibrations.list, { query: params.asked }, { keepPrevious: true })
  useBegin(mayAdd && (() => setAdding(true)))
  const columns = useCalibrationColumns()
  const actionsOf = useCalibrationActions(mayEdit)
  const add = mayAdd && <AddButton onClick={() => setAdding(true)}>{t('add')}</AddButton>
  const { search, sort, due } = params.asked
  const buttons = (
    <>
      {mayExport && (
        <ExportButton
          fileName="calibrations.csv"
          disabled={answer.data?.meta.total === 0}
          load={() => call(calibrations.exportCsv, { query: { search, sort, due } }, { toastAll: true })}
        />
      )}
      {add}
    </>
  )
  return (
    <ExportPage title={t('title')} actions={buttons}>
      <ListView
        label={t('title')}
        answer={answer}
        params={params}
        searchLabel={t('search')}
        filters={[
          {
            ...{ name: 'due', label: t('filter.label'), allLabel: t('filter.all') },
            options: dueStates.map((value) => ({ value, label: t(`due.${value}`) })),
          },
        ]}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ certificateNo }) => certificateNo}
        actions={actionsOf}
        empty={{ title: t('empty.title'), text: t(mayAdd ? 'empty.text' : 'empty.textView'), action: add }}
      />
      {isAdding && <CalibrationDialog onClose={() => setAdding(false)} />}
    </ExportPage>
  )
}
