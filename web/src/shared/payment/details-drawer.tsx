import { type BillingAccount, BillingDetails, billing } from '@isotherm/contract/billing.ts'
import { plans } from '@isotherm/contract/plans.ts'
import { wallet } from '@isotherm/contract/wallet.ts'
import { Select, Text, Textarea, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/call.ts'
import { countries } from '../../lib/country-and-zone-choices.ts'
import { refetchCalls } from '../../lib/query.ts'
import { differing, saveChange } from '../../lib/save-change.ts'
import { FormDrawer } from '../../ui/form/form-drawer.tsx'
import { useEntityForm } from '../../ui/form/use-entity-form.ts'

interface DetailsDrawerProps {
  account: BillingAccount
  onClose: () => void
  onSaved: () => void
}

const typedOf = ({ details, suggested }: BillingAccount) => {
  const { name, address, country, taxNumber } = details ?? suggested
  return { name, address, country: country ?? '', taxNumber: taxNumber ?? '', email: details?.email ?? '' }
}

/** Without details every field is a change. */
const bodyOf = ({ details }: BillingAccount) => (details ?? {}) as BillingDetails

/** Saves what the form changes; what another one changed meanwhile stays, and `onRefused` hears what it is where both changed the same. */
function saveDetails(seen: BillingAccount, typed: BillingDetails, onRefused: (now: BillingAccount) => void) {
  let now = seen
  return saveChange({
    ...{ seen, change: differing(bodyOf(seen), typed), bodyOf, onRefused },
    send: (change, how) => call(billing.changeAccount, { body: { ...bodyOf(now), ...change } }, how),
    load: async () => {
      now = await call(billing.account)
      return now
    },
  })
}

/** How the company is written on its invoices; begins with what its profile says. */
export function DetailsDrawer({ account, onClose, onSaved }: DetailsDrawerProps) {
  const { t, i18n } = useTranslation('wallet')
  // As the form shows it.
  const [seen, setSeen] = useState(account)
  const form = useEntityForm({
    initialValues: typedOf(account),
    schema: BillingDetails,
    toBody: ({ taxNumber, email, ...values }) => ({
      ...values,
      taxNumber: taxNumber.trim() || null,
      email: email.trim() || null,
    }),
    save: (body) =>
      saveDetails(seen, body, (now) => {
        setSeen(now)
        form.startFrom(typedOf(now), typedOf(seen))
      }),
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
