import { ByEmail } from '@isotherm/contract/auth.ts'
import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { GuestLayout } from './guest-layout.tsx'

interface ByMailPageProps {
  title: string
  lead: string
  submitLabel: string
  /** Says where the mail went to. */
  sentLead: (email: string) => string
  send: (body: { email: string }) => Promise<unknown>
  footer?: ReactNode
  /** The actions once it is sent. */
  children?: ReactNode
}

/** Asks for an address that a link is mailed to. The answer is the same for a known and an unknown one. */
export function ByMailPage({ title, lead, submitLabel, sentLead, send, footer, children }: ByMailPageProps) {
  const { t } = useTranslation('auth')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useEntityForm({
    initialValues: { email: '' },
    schema: ByEmail,
    toBody: (values) => values,
    save: send,
    onSaved: (_, { email }) => setSentTo(email),
  })
  if (sentTo)
    return (
      <GuestLayout title={t('checkMail.title')} lead={sentLead(sentTo)} footer={footer}>
        {children}
      </GuestLayout>
    )
  return (
    <GuestLayout title={title} lead={lead} footer={footer}>
      <EntityForm form={form} submitLabel={submitLabel} guarded={false}>
        <TextInput
          label={t('fields.email')}
          type="email"
          autoComplete="username"
          autoFocus
          {...form.fields.getInputProps('email')}
        />
      </EntityForm>
    </GuestLayout>
  )
}
