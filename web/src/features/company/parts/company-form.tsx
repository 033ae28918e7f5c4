import { type Company, CompanyChange, company as companyCalls } from '@isotherm/contract/company.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { rememberProfile } from '../../../lib/profile.ts'
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

export function CompanyForm({ company, readOnly = false, submitLabel, secondary, onSaved }: CompanyFormProps) {
  const { t } = useTranslation('company')
  const form = useEntityForm({
    initialValues: companyValues(company),
    schema: CompanyChange,
    toBody: companyBody,
    save: (body) => call(companyCalls.changeProfile, { body }),
    onSaved: (saved) => {
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
