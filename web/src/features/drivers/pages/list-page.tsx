import {
  type Driver,
  DriverQuery,
  driverAssignments,
  driverColumns,
  driverStates,
  drivers,
} from '@isotherm/contract/drivers.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { DispatchPage } from '../../../shared/dispatch/dispatch-page.tsx'
import { ImportButton } from '../../../shared/dispatch/import-button.tsx'
import { AddButton } from '../../../ui/add-button.tsx'
import { ExportButton } from '../../../ui/list/export-button.tsx'
import { ListView } from '../../../ui/list/list-view.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { useBegin } from '../../../ui/use-begin.ts'
import { DriverDialog } from '../parts/driver-dialog.tsx'
import { useDriverActions } from '../parts/use-driver-actions.tsx'
import { useDriverColumns } from '../parts/use-driver-columns.tsx'

const filters = { status: driverStates, assignment: driverAssignments }
const example = { name: 'Musa Bello', phone: '0803 123 4567', licenceExpiresOn: '2028-01-31' }

export function DriverListPage() {
  const { t } = useTranslation('drivers')
  const navigate = useNavigate()
  const params = useListParams({ sort: DriverQuery.shape.sort, filters })
  const mayEdit = useCan('dispatch.addOrEdit')
  const mayExport = useCan('dispatch.export')
  const [isAdding, setIsAdding] = useState(false)
  const answer = useCall(drivers.list, { query: params.asked }, { keepPrevious: true, refetchMs: 60_000 })
  useBegin(mayEdit && (() => setIsAdding(true)))
  const columns = useDriverColumns()
  const { actionsOf, dialogs } = useDriverActions()
  const open = ({ id }: Driver) => void navigate({ to: '/dispatch/drivers/$driverId', params: { driverId: id } })
  const add = mayEdit && <AddButton onClick={() => setIsAdding(true)}>{t('add')}</AddButton>
  const { page: _page, perPage: _perPage, ...asked } = params.asked
  const actions = (
    <>
      {mayExport && (
        <ExportButton
          fileName="drivers.csv"
          disabled={answer.data?.meta.total === 0}
          load={() => call(drivers.exportCsv, { query: asked }, { toastAll: true })}
        />
      )}
      {mayEdit && (
        <ImportButton
          title={t('import')}
          columns={driverColumns}
          example={example}
          templateName="drivers-template.csv"
          send={(body) => call(drivers.importCsv, { body })}
          onAdded={() => void refetchCalls(drivers.list)}
        />
      )}
      {add}
    </>
  )
  return (
    <DispatchPage title={t('title')} actions={actions}>
      <ListView
        label={t('title')}
        answer={answer}
        params={params}
        searchLabel={t('search')}
        filters={[
          {
            name: 'status',
            label: t('fields.status'),
            allLabel: t('allStates'),
            options: driverStates.map((value) => ({ value, label: t(`status.${value}`) })),
          },
          {
            name: 'assignment',
            label: t('fields.vehicle'),
            allLabel: t('allVehicles'),
            options: driverAssignments.map((value) => ({ value, label: t(`assignment.${value}`) })),
          },
        ]}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        onOpen={open}
        actions={mayEdit ? actionsOf : undefined}
        empty={{ title: t('empty.title'), text: t(mayEdit ? 'empty.text' : 'empty.textView'), action: add }}
      />
      {isAdding && <DriverDialog driver={null} onClose={() => setIsAdding(false)} />}
      {dialogs}
    </DispatchPage>
  )
}
