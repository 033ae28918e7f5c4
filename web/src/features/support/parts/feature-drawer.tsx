import { type Feature, support } from '@isotherm/contract/support.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDrawer } from '../../../ui/form/form-drawer.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { DescriptionField } from '../../../ui/words-left.tsx'

/** Asks the provider for more of a module. */
export function FeatureDrawer({ module, onClose }: { module: Feature['module']; onClose: () => void }) {
  const { t } = useTranslation('support')
  const form = useEntityForm({
    initialValues: { description: '' },
    schema: support.askFeature.body,
    toBody: ({ description }) => ({ module, description }),
    save: (body) => call(support.askFeature, { body }),
    onSaved: () => {
      toastSuccess(t('ask.sent'))
      void refetchCalls(support.features, support.requests)
      onClose()
    },
  })
  return (
    <FormDrawer
      title={t('features.askFor', { name: t(`categories.${module}`) })}
      form={form}
      submitLabel={t('ask.submit')}
      onClose={onClose}
    >
      <DescriptionField
        label={t('features.note')}
        {...form.fields.getInputProps('description')}
        value={form.fields.values.description}
      />
    </FormDrawer>
  )
}
