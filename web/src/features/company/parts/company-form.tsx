import { auth } from '@isotherm/contract/auth.ts'
import { type Company, CompanyChange, company as companyCalls } from '@isotherm/contract/company.ts'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { rememberProfile } from '../../../lib/profile.ts'
import { differing, saveChange } from '../../../lib/save-change.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { useFollowed } from '../../../ui/form/use-followed.ts'
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
  // As the form shows it: it may be loaded again under it.
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
        onRefused: (now) => follow(now, seen),
      }),
    onSaved: (saved) => {
      follow(saved)
      rememberProfile({ company: saved })
      onSaved()
    },
  })
  const follow = (now: Company, former?: Company) => {
    setSeen(now)
    form.startFrom(companyValues(now), former && companyValues(former))
  }
  useFollowed({ thing: company, seen, isUnsaved: form.isUnsaved, follow })
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
