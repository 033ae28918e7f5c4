import { type Contact, ContactQuery, contactColumns, contacts } from '@isotherm/contract/contacts.ts'
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
import { ContactDialog } from '../parts/contact-dialog.tsx'
import { useContactActions } from '../parts/use-contact-actions.tsx'
import { useContactColumns } from '../parts/use-contact-columns.tsx'

const example = { name: 'Ada Obi', company: 'Lagos Clinics', phone: '0803 123 4567', country: 'NG' }

export function ContactListPage() {
  const { t } = useTranslation('contacts')
  const params = useListParams({ sort: ContactQuery.shape.sort })
  const mayEdit = useCan('dispatch.addOrEdit')
  const mayExport = useCan('dispatch.export')
  const [dialog, setDialog] = useState<Contact | 'new' | null>(null)
  const answer = useCall(contacts.list, { query: params.asked }, { keepPrevious: true })
  useBegin(mayEdit && (() => setDialog('new')))
  const columns = useContactColumns()
  const actionsOf = useContactActions(setDialog)
  const add = mayEdit && <AddButton onClick={() => setDialog('new')}>{t('add')}</AddButton>
  const { search, sort } = params.asked
  const actions = (
    <>
      {mayExport && (
        <ExportButton
          fileName="contacts.csv"
          disabled={answer.data?.meta.total === 0}
          load={() => call(contacts.exportCsv, { query: { search, sort } }, { toastAll: true })}
        />
      )}
      {mayEdit && (
        <ImportButton
          title={t('import')}
          columns={contactColumns}
          example={example}
          templateName="contacts-template.csv"
          send={(body) => call(contacts.importCsv, { body })}
          onAdded={() => void refetchCalls(contacts.list)}
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
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        onOpen={mayEdit ? setDialog : undefined}
        actions={mayEdit ? actionsOf : undefined}
        empty={{ title: t('empty.title'), text: t(mayEdit ? 'empty.text' : 'empty.textView'), action: add }}
      />
      {dialog && (
        <ContactDialog
          key={dialog === 'new' ? 'new' : dialog.id}
          contact={dialog === 'new' ? null : dialog}
          onOther={setDialog}
          onClose={() => setDialog(null)}
        />
      )}
    </DispatchPage>
  )
}
