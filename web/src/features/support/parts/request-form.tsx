import { type NewSupportRequest, productCategories, support, urgencies } from '@isotherm/contract/support.ts'
import { SegmentedControl, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { Panel } from '../../../ui/panel.tsx'
import { DescriptionField } from '../../../ui/words-left.tsx'

const kinds = ['support', 'suggestion'] as const

interface Values extends NewSupportRequest {
  kind: (typeof kinds)[number]
}
const empty: Values = { kind: 'support', title: '', description: '', category: 'devices', urgency: 'normal' }

/** Asks the provider for help, or suggests something. */
export function RequestForm() {
  const { t } = useTranslation('support')
  const form = useEntityForm({
    initialValues: empty,
    schema: support.ask.body,
    toBody: ({ kind: _, ...values }) => values,
    save: (body, { kind }) => call(kind === 'support' ? support.ask : support.suggest, { body }),
    onSaved: (_, { kind, category }) => {
      toastSuccess(t('ask.sent'))
      form.startFrom({ ...empty, kind, category })
      void refetchCalls(support.requests)
    },
  })
  const { getInputProps, values } = form.fields
  return (
    <Panel title={t('ask.title')} text={t('ask.lead')}>
      <EntityForm form={form} submitLabel={t('ask.submit')} label={t('ask.title')} wide>
        <SegmentedControl
          aria-label={t('ask.kind')}
          data={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          {...getInputProps('kind')}
        />
        <TextInput label={t('ask.subject')} maxLength={120} {...getInputProps('title')} />
        <Select
          label={t('ask.category')}
          data={productCategories.map((value) => ({ value, label: t(`categories.${value}`) }))}
          allowDeselect={false}
          {...getInputProps('category')}
        />
        <Select
          label={t('ask.urgency')}
          data={urgencies.map((value) => ({ value, label: t(`urgency.${value}`) }))}
          allowDeselect={false}
          {...getInputProps('urgency')}
        />
        <DescriptionField label={t('ask.description')} {...getInputProps('description')} value={values.description} />
      </EntityForm>
    </Panel>
  )
}
