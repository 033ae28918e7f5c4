import { type Sso, SsoIssuer, sso } from '@isotherm/contract/sso.ts'
import { PasswordInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { Panel } from '../../../ui/panel.tsx'
import { CopyField } from './copy-field.tsx'

/** The first step: Isotherm and the issuer get to know one another. */
export function IssuerForm({ settings }: { settings: Sso }) {
  const { t } = useTranslation('sso')
  const { connection, redirectUrl } = settings
  const form = useEntityForm({
    initialValues: { issuer: connection?.issuer ?? '', clientId: connection?.clientId ?? '', clientSecret: '' },
    schema: SsoIssuer,
    toBody: ({ clientSecret, ...values }) => ({
      ...values,
      ...(clientSecret ? { clientSecret } : {}),
      version: connection?.version ?? 0,
    }),
    save: (body) => call(sso.save, { body }),
    onSaved: (_, values) => {
      form.startFrom({ ...values, clientSecret: '' })
      toastSuccess(t('issuer.saved'))
      void refetchCalls(sso.read)
    },
  })
  const { getInputProps } = form.fields
  return (
    <Panel title={t('issuer.title')} text={t('issuer.text')}>
      <EntityForm form={form} submitLabel={t('issuer.save')} label={t('issuer.title')} wide>
        <CopyField label={t('issuer.redirect')} description={t('issuer.redirectHelp')} value={redirectUrl} />
        <TextInput
          label={t('issuer.issuer')}
          description={t('issuer.issuerHelp')}
          type="url"
          placeholder="https://"
          maxLength={500}
          spellCheck={false}
          {...getInputProps('issuer')}
        />
        <TextInput
          label={t('issuer.clientId')}
          maxLength={300}
          autoComplete="off"
          spellCheck={false}
          {...getInputProps('clientId')}
        />
        <PasswordInput
          label={t('issuer.secret')}
          description={t(connection ? 'issuer.secretKept' : 'issuer.secretHelp')}
          autoComplete="off"
          maxLength={1000}
          visibilityToggleButtonProps={{ 'aria-label': t('issuer.showSecret') }}
          {...getInputProps('clientSecret')}
        />
      </EntityForm>
    </Panel>
  )
}
