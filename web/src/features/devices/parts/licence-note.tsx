import { devices } from '@isotherm/contract/devices.ts'
import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { formatDate } from '../../../lib/times.ts'

const shortest = 8

/** Shows what the key typed so far is good for. Renders nothing while it cannot be known. */
export function LicenceNote({ licenceKey }: { licenceKey: string }) {
  const { t } = useTranslation('devices')
  const [key] = useDebouncedValue(licenceKey, 500)
  const { data } = useCall(devices.licence, { params: { key } }, { enabled: key.length >= shortest })
  if (!data || key !== licenceKey || key.length < shortest) return null
  const isFree = data.state === 'free'
  return (
    <Text size="sm" role="status" c={isFree ? 'var(--state-ok)' : 'var(--state-warning)'} mt={-8}>
      {t(`licence.${data.state}`)}
      {isFree && data.devicesFree !== null && data.devices !== null && (
        <> {t('licence.devices', { count: data.devices, free: data.devicesFree })}</>
      )}
      {isFree && data.expiresAt !== null && <> {t('licence.until', { date: formatDate(data.expiresAt) })}</>}
      {isFree && data.expiresAt === null && data.months !== null && <> {t('licence.months', { count: data.months })}</>}
    </Text>
  )
}
