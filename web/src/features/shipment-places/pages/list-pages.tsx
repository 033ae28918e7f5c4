import { type ShipmentPlace, ShipmentPlaceQuery } from '@isotherm/contract/shipment-places.ts'
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
import { PlaceDialog } from '../parts/place-dialog.tsx'
import { usePlaceActions } from '../parts/use-place-actions.tsx'
import { usePlaceColumns } from '../parts/use-place-columns.tsx'
import { type PlaceKind, placeCalls } from '../place-kinds.ts'

export const OriginListPage = () => <PlaceListPage key="origin" kind="origin" />
export const DestinationListPage = () => <PlaceListPage key="destination" kind="destination" />

function PlaceListPage({ kind }: { kind: PlaceKind }) {
  const { t } = useTranslation('shipmentPlaces')
  const calls = placeCalls[kind]
  const params = useListParams({ sort: ShipmentPlaceQuery.shape.sort })
  const mayEdit = useCan('dispatch.addOrEdit')
  const mayExport = useCan('dispatch.export')
  const [dialog, setDialog] = useState<ShipmentPlace | 'new' | null>(null)
  const answer = useCall(calls.list, { query: params.asked }, { keepPrevious: true })
  useBegin(mayEdit && (() => setDialog('new')))
  const columns = usePlaceColumns()
  const actionsOf = usePlaceActions(kind, setDialog)
  const add = mayEdit && <AddButton onClick={() => setDialog('new')}>{t(`kinds.${kind}.add`)}</AddButton>
  const { search, sort } = params.asked
  const actions = (
    <>
      {mayExport && (
        <ExportButton
          fileName={`${kind}s.csv`}
          disabled={answer.data?.meta.total === 0}
          load={() => call(calls.exportCsv, { query: { search, sort } }, { toastAll: true })}
        />
      )}
      {add}
    </>
  )
  return (
    <ExportPage title={t(`kinds.${kind}.title`)} actions={actions}>
      <ListView
        label={t(`kinds.${kind}.title`)}
        answer={answer}
        params={params}
        searchLabel={t('search')}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        onOpen={mayEdit ? setDialog : undefined}
        actions={mayEdit ? actionsOf : undefined}
        empty={{
          title: t(`kinds.${kind}.empty`),
          text: t(mayEdit ? `kinds.${kind}.emptyText` : `kinds.${kind}.emptyView`),
          action: add,
        }}
      />
      {dialog && (
        <PlaceDialog
          key={dialog === 'new' ? 'new' : dialog.id}
          kind={kind}
          place={dialog === 'new' ? null : dialog}
          onClose={() => setDialog(null)}
        />
      )}
    </ExportPage>
  )
}
