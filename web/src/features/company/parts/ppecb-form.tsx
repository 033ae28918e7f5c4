import { type Company, company as companyCalls, Ppecb } from '@isotherm/contract/company.ts'
import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { rememberProfile } from '../../../lib/profile.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { bodyOf, names, valuesOf } from '../ppecb-values.ts'
import { FboCodes } from './fbo-codes.tsx'

/** South African perishable export control: the registrations of an exporter. */
export function PpecbForm({ company, readOnly }: { company: Company; readOnly: boolean }) {
  const { t } = useTranslation('company')
  const form = useEntityForm({
    initialValues: valuesOf(company.ppecb),
    schema: Ppecb.nullable(),
    toBody: bodyOf,
    save: (body) => call(companyCalls.changePpecb, { body }),
    onSaved: (saved) => {
      form.startFrom(valuesOf(saved.ppecb))
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
          description={name === 'exporterName' ? t('ppecb.help') : undefined}
          type={name === 'contactEmail' ? 'email' : 'text'}
          readOnly={readOnly}
          {...form.fields.getInputProps(name)}
        />
      ))}
      <FboCodes fields={form.fields} readOnly={readOnly} />
    </EntityForm>
  )
}
