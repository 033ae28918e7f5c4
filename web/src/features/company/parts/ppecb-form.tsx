import { type Company, company as companyCalls, Ppecb } from '@isotherm/contract/company.ts'
import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { rememberProfile } from '../../../lib/profile.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'

const names = ['exporterCode', 'exporterName', 'contactPerson', 'contactEmail'] as const
const blank = { exporterCode: '', exporterName: '', contactPerson: '', contactEmail: '' }

/** South African perishable export control; all fields empty means none. */
export function PpecbForm({ company, readOnly }: { company: Company; readOnly: boolean }) {
  const { t } = useTranslation('company')
  const form = useEntityForm({
    initialValues: company.ppecb ?? blank,
    schema: Ppecb.nullable(),
    toBody: (values) => (names.every((name) => values[name].trim() === '') ? null : values),
    save: (body) => call(companyCalls.changePpecb, { body }),
    onSaved: (saved) => {
      form.startFrom(saved.ppecb ?? blank)
      rememberProfile({ company: saved })
      toastSuccess(t('ppecb.saved'))
    },
  })
  return (
    <EntityForm form={form} submitLabel={t('common:actions.save')} disabled={readOnly} label={t('ppecb.title')}>
      {names.map((name) => (
        <TextInput
          key={name}
          label={t(`ppecb.${name}`)}
          type={name === 'contactEmail' ? 'email' : 'text'}
          readOnly={readOnly}
          {...form.fields.getInputProps(name)}
        />
      ))}
    </EntityForm>
  )
}
