import { auth } from '@isotherm/contract/auth.ts'
import { type Company, CompanyChange, company as companyCalls } from '@isotherm/contract/company.ts'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { rememberProfile } from '../../../lib/profile.ts'
import { differing, saveChange } from '../../../lib/save-change.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { CompanyFields, companyBody, companyValues } from './company-fields.tsx'

interface CompanyFormProps {
  company: Company
  readOnly?: boolean
  submitLabel: string
  secondary?: ReactNode
  onSaved: () => void
}

const bodyOf = (company: Company) => companyBody(companyValues(company))

export function CompanyForm({ company, readOnly = false, submitLabel, secondary, onSaved }: CompanyFormProps) {
  const { t } = useTranslation('company')
  // As it was when the form was opened or last saved.
  const [seen, setSeen] = useState(company)
  const form = useEntityForm({
    initialValues: companyValues(seen),
    schema: CompanyChange,
    toBody: (values) => differing(bodyOf(seen), companyBody(values)),
    save: (change) =>
      saveChange({
        seen,
        change,
        bodyOf,
        load: async () => (await call(auth.profile)).company,
        send: (body, how) => call(companyCalls.changeProfile, { body }, how),
      }),
    onSaved: (saved) => {
      setSeen(saved)
      form.startFrom(companyValues(saved))
      rememberProfile({ company: saved })
      onSaved()
    },
  })
  return (
    <EntityForm
      form={form}
      submitLabel={submitLabel}
      secondary={secondary}
      disabled={readOnly}
      label={t('business.title')}
    >
      <CompanyFields fields={form.fields} readOnly={readOnly} />
    </EntityForm>
  )
}
