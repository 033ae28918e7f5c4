import { type Partner, PartnerQuery, partners } from '@isotherm/contract/partners.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'
import { DispatchPage } from '../../../shared/dispatch/dispatch-page.tsx'
import { AddButton } from '../../../ui/add-button.tsx'
import { ExportButton } from '../../../ui/list/export-button.tsx'
import { ListView } from '../../../ui/list/list-view.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import { useBegin } from '../../../ui/use-begin.ts'
import { PartnerDialog } from '../parts/partner-dialog.tsx'
import { usePartnerActions } from '../parts/use-partner-actions.tsx'
import { usePartnerColumns } from '../parts/use-partner-columns.tsx'

/** `Frame`: the section that it stands in. */
export function PartnerListPage({ Frame = DispatchPage }: { Frame?: typeof DispatchPage }) {
  const { t } = useTranslation('partners')
  const params = useListParams({ sort: PartnerQuery.shape.sort })
  const mayEdit = useCan('dispatch.addOrEdit')
  const mayExport = useCan('dispatch.export')
  const [dialog, setDialog] = useState<Partner | 'new' | null>(null)
  const answer = useCall(partners.list, { query: params.asked }, { keepPrevious: true })
  useBegin(mayEdit && (() => setDialog('new')))
  const columns = usePartnerColumns()
  const actionsOf = usePartnerActions(setDialog)
  const add = mayEdit && <AddButton onClick={() => setDialog('new')}>{t('add')}</AddButton>
  const { search, sort } = params.asked
  const actions = (
    <>
      {mayExport && (
        <ExportButton
          fileName="partners.csv"
          disabled={answer.data?.meta.total === 0}
          load={() => call(partners.exportCsv, { query: { search, sort } }, { toastAll: true })}
        />
      )}
      {add}
    </>
  )
  return (
    <Frame title={t('title')} actions={actions}>
      <ListView
        label={t('title')}
        answer={answer}
        params={params}
        searchLabel={t('search')}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ companyName }) => companyName}
        onOpen={mayEdit ? setDialog : undefined}
        actions={mayEdit ? actionsOf : undefined}
        empty={{ title: t('empty.title'), text: t(mayEdit ? 'empty.text' : 'empty.textView'), action: add }}
      />
      {dialog && (
        <PartnerDialog
          key={dialog === 'new' ? 'new' : dialog.id}
          partner={dialog === 'new' ? null : dialog}
          onClose={() => setDialog(null)}
        />
      )}
    </Frame>
  )
}
