import {
  availabilities,
  type Vehicle,
  VehicleQuery,
  vehicleColumns,
  vehicles,
  vehicleTypes,
} from '@isotherm/contract/vehicles.ts'
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
import { useVehicleActions } from '../parts/use-vehicle-actions.tsx'
import { useVehicleColumns } from '../parts/use-vehicle-columns.tsx'
import { VehicleDialog } from '../parts/vehicle-dialog.tsx'

const filters = { type: vehicleTypes, availability: availabilities }
const example = { name: 'Van 3', plate: 'ABC 123 XY', type: 'truck' }

export function VehicleListPage() {
  const { t } = useTranslation('vehicles')
  const params = useListParams({ sort: VehicleQuery.shape.sort, filters })
  const mayEdit = useCan('dispatch.addOrEdit')
  const mayExport = useCan('dispatch.export')
  const [dialog, setDialog] = useState<Vehicle | 'new' | null>(null)
  const answer = useCall(vehicles.list, { query: params.asked }, { keepPrevious: true, refetchMs: 60_000 })
  useBegin(mayEdit && (() => setDialog('new')))
  const columns = useVehicleColumns()
  const actionsOf = useVehicleActions(setDialog)
  const add = mayEdit && <AddButton onClick={() => setDialog('new')}>{t('add')}</AddButton>
  const { page: _page, perPage: _perPage, ...asked } = params.asked
  const actions = (
    <>
      {mayExport && (
        <ExportButton
          fileName="vehicles.csv"
          disabled={answer.data?.meta.total === 0}
          load={() => call(vehicles.exportCsv, { query: asked }, { toastAll: true })}
        />
      )}
      {mayEdit && (
        <ImportButton
          title={t('import')}
          columns={vehicleColumns}
          example={example}
          templateName="vehicles-template.csv"
          send={(body) => call(vehicles.importCsv, { body })}
          onAdded={() => void refetchCalls(vehicles.list)}
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
            name: 'type',
            label: t('fields.type'),
            allLabel: t('allTypes'),
            options: vehicleTypes.map((value) => ({ value, label: t(`types.${value}`) })),
          },
          {
            name: 'availability',
            label: t('fields.availability'),
            allLabel: t('allAvailabilities'),
            options: availabilities.map((value) => ({ value, label: t(`availability.${value}`) })),
          },
        ]}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        onOpen={mayEdit ? setDialog : undefined}
        actions={mayEdit ? actionsOf : undefined}
        empty={{ title: t('empty.title'), text: t(mayEdit ? 'empty.text' : 'empty.textView'), action: add }}
      />
      {dialog && (
        <VehicleDialog
          key={dialog === 'new' ? 'new' : dialog.id}
          vehicle={dialog === 'new' ? null : dialog}
          onClose={() => setDialog(null)}
        />
      )}
    </DispatchPage>
  )
}
