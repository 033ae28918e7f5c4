import { type BillingAccount, billing } from '@isotherm/contract/billing.ts'
import { plans } from '@isotherm/contract/plans.ts'
import { wallet } from '@isotherm/contract/wallet.ts'
import { Select, Text, Textarea, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/call.ts'
import { countries } from '../../lib/country-and-zone-choices.ts'
import { refetchCalls } from '../../lib/query.ts'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { useEntityForm } from '../../ui/form/use-entity-form.ts'

interface DetailsDrawerProps {
  account: BillingAccount
  onClose: () => void
  onSaved: () => void
}

/** How the company is written on its invoices; begins with what its profile says. */
export function DetailsDrawer({ account: { details, suggested }, onClose, onSaved }: DetailsDrawerProps) {
  const { t, i18n } = useTranslation('wallet')
  const known = details ?? suggested
  const form = useEntityForm({
    initialValues: {
      name: known.name,
      address: known.address,
      country: known.country ?? '',
      taxNumber: known.taxNumber ?? '',
      email: details?.email ?? '',
    },
    schema: billing.changeAccount.body,
    toBody: ({ taxNumber, email, ...values }) => ({
      ...values,
      taxNumber: taxNumber.trim() || null,
      email: email.trim() || null,
    }),
    save: (body) => call(billing.changeAccount, { body }),
    onSaved: async () => {
      await refetchCalls(billing.account, wallet.bundles, wallet.price, plans.plans)
      onSaved()
    },
  })
  const { getInputProps, setFieldValue } = form.fields
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names depend on the language
  const places = useMemo(() => countries(), [i18n.language])
  return (
    <FormDrawer title={t('details.title')} form={form} submitLabel={t('details.submit')} onClose={onClose}>
      <Text size="sm">{t('details.lead')}</Text>
      <TextInput label={t('details.name')} autoComplete="organization" {...getInputProps('name')} />
      <Textarea
        label={t('details.address')}
        autosize
        minRows={2}
        maxRows={6}
        autoComplete="street-address"
        {...getInputProps('address')}
      />
      <Select
        label={t('details.country')}
        description={t('details.countryHelp')}
        data={places}
        searchable
        allowDeselect={false}
        {...getInputProps('country')}
        onChange={(value) => setFieldValue('country', value ?? '')}
      />
      <TextInput
        label={t('details.taxNumber')}
        description={t('details.taxHelp')}
        autoComplete="off"
        {...getInputProps('taxNumber')}
      />
      <TextInput
        label={t('details.email')}
        description={t('details.emailHelp')}
        type="email"
        autoComplete="off"
        {...getInputProps('email')}
      />
    </FormDrawer>
  )
}
