import { type Contact, contacts } from '@isotherm/contract/contacts.ts'
import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { useTypedSearch } from '../../../ui/use-typed-search.ts'
import type { PartyValues, StopValues } from '../order-values.ts'
import type { OrderFields } from './form-props.ts'

interface PartyFieldsProps {
  fields: OrderFields
  /** "sender", "receivers.0". */
  path: string
  stop: StopValues
  stopPath: string
}

/** A person or firm: typed, or filled in from the contacts with the place. */
export function PartyFields({ fields, path, stop, stopPath }: PartyFieldsProps) {
  const { t } = useTranslation('orders')
  const { search, field } = useTypedSearch()
  const answer = useCall(contacts.search, { query: { q: search } }, { enabled: search.length > 1, keepPrevious: true })
  const found = search.length > 1 ? (answer.data ?? []) : []
  const fill = (contact: Contact) => {
    const party: PartyValues = {
      ...{ contactId: contact.id, name: contact.name, company: contact.company ?? '' },
      ...{ email: contact.email ?? '', phone: contact.phone ?? '' },
    }
    for (const [name, value] of Object.entries(party)) fields.setFieldValue(`${path}.${name}`, value)
    fields.setFieldValue(stopPath, {
      ...stop,
      address: contact.address ?? stop.address,
      ...(contact.position && { ...contact.position, timezone: undefined }),
      country: contact.country ?? stop.country,
    })
  }
  return (
    <>
      <Select
        label={t('form.contact')}
        description={t('form.contactHelp')}
        value={null}
        data={found.map(({ id, name, company }) => ({ value: id, label: company ? `${name}, ${company}` : name }))}
        nothingFoundMessage={search.length > 1 && answer.data ? t('common:form.nothingFound') : undefined}
        onChange={(id) => {
          const contact = found.find((each) => each.id === id)
          if (contact) fill(contact)
        }}
        {...field}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={t('form.name')} {...fields.getInputProps(`${path}.name`)} />
        <TextInput label={t('form.company')} {...fields.getInputProps(`${path}.company`)} />
        <TextInput label={t('form.phone')} type="tel" {...fields.getInputProps(`${path}.phone`)} />
        <TextInput label={t('form.email')} type="email" {...fields.getInputProps(`${path}.email`)} />
      </SimpleGrid>
    </>
  )
}
