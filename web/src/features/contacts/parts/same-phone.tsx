import { type Contact, contacts } from '@isotherm/contract/contacts.ts'
import { Alert, Anchor } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'

interface SamePhoneProps {
  phone: string
  /** The contact that is being edited. */
  but: string | null
  onOpen: (contact: Contact) => void
}

const digitsOf = (text: string | null) => (text ?? '').replace(/\D/g, '').replace(/^0+/, '')

/** Names the contact who has this phone number already, so that nobody is entered twice. */
export function SamePhone({ phone, but, onOpen }: SamePhoneProps) {
  const { t } = useTranslation('contacts')
  const [typed] = useDebouncedValue(phone.trim(), 400)
  const digits = digitsOf(typed)
  const answer = useCall(contacts.search, { query: { q: typed } }, { enabled: digits.length >= 7 })
  const same = answer.data?.find((other) => other.id !== but && digitsOf(other.phone).endsWith(digits))
  if (!same || digits.length < 7) return null
  return (
    <Alert color="orange" variant="light" role="status">
      {t('samePhone', { name: same.name })}{' '}
      <Anchor component="button" type="button" size="sm" onClick={() => onOpen(same)}>
        {t('openSame')}
      </Anchor>
    </Alert>
  )
}
