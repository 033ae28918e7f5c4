import type { Company } from '@isotherm/contract/company.ts'
import { Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { countries, timeZones } from '../../../lib/country-and-zone-choices.ts'
import { languageNames, localeNames } from '../../../lib/languages.ts'

const textFields = ['industry', 'address', 'city', 'phone', 'website', 'registrationNumber', 'taxNumber'] as const

export type CompanyValues = Record<(typeof textFields)[number] | 'name' | 'country' | 'timezone' | 'locale', string>

export const companyValues = (company: Company): CompanyValues => ({
  name: company.name,
  country: company.country ?? '',
  timezone: company.timezone,
  locale: company.locale,
  industry: company.industry ?? '',
  address: company.address ?? '',
  city: company.city ?? '',
  phone: company.phone ?? '',
  website: company.website ?? '',
  registrationNumber: company.registrationNumber ?? '',
  taxNumber: company.taxNumber ?? '',
})

const orNull = (text: string) => text.trim() || null

/** Turns the typed values into the call's body: empty is null, a phone loses its spaces, a bare web address gains https. */
export const companyBody = (values: CompanyValues) => ({
  name: values.name,
  country: orNull(values.country),
  timezone: values.timezone,
  locale: localeNames.find((name) => name === values.locale),
  industry: orNull(values.industry),
  address: orNull(values.address),
  city: orNull(values.city),
  phone: orNull(values.phone.replace(/[\s().-]/g, '')),
  website: orNull(
    /^[\w-]+(\.[\w-]+)+/.test(values.website.trim()) ? `https://${values.website.trim()}` : values.website,
  ),
  registrationNumber: orNull(values.registrationNumber),
  taxNumber: orNull(values.taxNumber),
})

const types = { phone: 'tel', website: 'url' } as const
const help = new Set(['phone', 'website'])

/** The fields of the business profile. */
export function CompanyFields({ fields, readOnly }: { fields: UseFormReturnType<CompanyValues>; readOnly: boolean }) {
  const { t, i18n } = useTranslation('company')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names depend on the language
  const places = useMemo(() => countries(), [i18n.language])
  const zones = useMemo(() => timeZones(fields.getValues().timezone), [fields])
  return (
    <>
      <TextInput label={t('fields.name')} readOnly={readOnly} {...fields.getInputProps('name')} />
      <Select
        label={t('fields.country')}
        data={places}
        searchable
        clearable
        readOnly={readOnly}
        {...fields.getInputProps('country')}
        onChange={(value) => fields.setFieldValue('country', value ?? '')}
      />
      <Select
        label={t('fields.timezone')}
        data={zones}
        searchable
        allowDeselect={false}
        limit={200}
        readOnly={readOnly}
        {...fields.getInputProps('timezone')}
      />
      <Select
        label={t('fields.locale')}
        description={readOnly ? undefined : t('help.locale')}
        data={localeNames.map((name) => ({ value: name, label: languageNames[name] }))}
        allowDeselect={false}
        readOnly={readOnly}
        {...fields.getInputProps('locale')}
      />
      {textFields.map((name) => (
        <TextInput
          key={name}
          label={t(`fields.${name}`)}
          description={help.has(name) && !readOnly ? t(`help.${name}`) : undefined}
          type={types[name as keyof typeof types] ?? 'text'}
          readOnly={readOnly}
          {...fields.getInputProps(name)}
        />
      ))}
    </>
  )
}
