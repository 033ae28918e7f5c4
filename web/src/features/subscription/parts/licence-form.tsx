import { subscription } from '@isotherm/contract/subscription.ts'
import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refreshProfile } from '../../../lib/profile.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import classes from './subscription.module.css'

/** Takes a licence key into the company's stock. */
export function LicenceForm() {
  const { t } = useTranslation('subscription')
  const form = useEntityForm({
    initialValues: { licenceKey: '' },
    schema: subscription.addLicence.body,
    toBody: ({ licenceKey }) => ({ licenceKey: licenceKey.trim() }),
    save: (body) => call(subscription.addLicence, { body }),
    onSaved: ({ devices }) => {
      toastSuccess(t('add.done', { count: devices.of }))
      form.startFrom({ licenceKey: '' })
      void refetchCalls(subscription.entitlement, subscription.licences)
      void refreshProfile()
    },
  })
  return (
    <div className={classes.add}>
      <EntityForm form={form} submitLabel={t('add.submit')} label={t('add.title')}>
        <TextInput
          label={t('add.licenceKey')}
          description={t('add.help')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={60}
          {...form.fields.getInputProps('licenceKey')}
        />
      </EntityForm>
    </div>
  )
}
