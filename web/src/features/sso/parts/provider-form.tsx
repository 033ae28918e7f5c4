import { type Sso, SsoProvider, sso } from '@isotherm/contract/sso.ts'
import { PasswordInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { Panel } from '../../../ui/panel.tsx'
import { CopyField } from './copy-field.tsx'

/** The first step: Isotherm and the provider get to know one another. */
export function ProviderForm({ settings }: { settings: Sso }) {
  const { t } = useTranslation('sso')
  const { connection, redirectUrl } = settings
  const form = useEntityForm({
    initialValues: { issuer: connection?.issuer ?? '', clientId: connection?.clientId ?? '', clientSecret: '' },
    schema: SsoProvider,
    toBody: ({ clientSecret, ...values }) => ({
      ...values,
      ...(clientSecret ? { clientSecret } : {}),
      version: connection?.version ?? 0,
    }),
    save: (body) => call(sso.save, { body }),
    onSaved: () => {
      toastSuccess(t('provider.saved'))
      void refetchCalls(sso.read)
    },
  })
  const { getInputProps } = form.fields
  return (
    <Panel title={t('provider.title')} text={t('provider.text')}>
      <EntityForm form={form} submitLabel={t('provider.save')} label={t('provider.title')} wide>
        <CopyField label={t('provider.redirect')} description={t('provider.redirectHelp')} value={redirectUrl} />
        <TextInput
          label={t('provider.issuer')}
          description={t('provider.issuerHelp')}
          type="url"
          placeholder="https://"
          maxLength={500}
          spellCheck={false}
          {...getInputProps('issuer')}
        />
        <TextInput
          label={t('provider.clientId')}
          maxLength={300}
          autoComplete="off"
          spellCheck={false}
          {...getInputProps('clientId')}
        />
        <PasswordInput
          label={t('provider.secret')}
          description={t(connection ? 'provider.secretKept' : 'provider.secretHelp')}
          autoComplete="off"
          maxLength={1000}
          visibilityToggleButtonProps={{ 'aria-label': t('provider.showSecret') }}
          {...getInputProps('clientSecret')}
        />
      </EntityForm>
    </Panel>
  )
}
