import { Checkbox, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCan } from '../lib/can.ts'
import { named } from '../lib/named.ts'

/** Devices by name: the first of them, and how many there are. */
export interface Unheard {
  devices: { name: string }[]
  count: number
}

/** Which private devices a recipient does not hear of; nothing where there are none. */
export function NotHeard({ devices, count }: Unheard) {
  const { t } = useTranslation()
  if (count === 0) return null
  const names = devices.map(({ name }) => name).join(', ')
  const more = count - devices.length
  return (
    <Text size="xs" c="dimmed">
      {t('common:notHeard.text', { devices: more > 0 ? `${names} + ${more}` : names })}
    </Text>
  )
}

interface VouchProps {
  name: string
  checked: boolean
  onChange: (checked: boolean) => void
}

/** Lets an Admin vouch for an address that somebody else named; nothing for anybody else. */
export function Vouch({ name, checked, onChange }: VouchProps) {
  const { t } = useTranslation()
  if (!useCan('admin')) return null
  return (
    <Checkbox
      size="xs"
      aria-label={named(t('common:notHeard.vouch'), name)}
      label={t('common:notHeard.vouch')}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
