import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { Alert } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../../lib/now.ts'

const dayMs = 86_400_000
/** After this time somebody has them back, or nobody will. */
const remindedDays = 30

/** Reminds of devices that may still be with the goods of a shipment that is over; nothing where there are none. */
export function LeftBehind({ shipment: { devices, endedAt, cancelledAt } }: { shipment: ShipmentDetails }) {
  const { t } = useTranslation('shipments')
  const now = useNow()
  const over = endedAt ?? cancelledAt
  const names = devices.flatMap(({ name, isLeftBehind }) => (isLeftBehind ? [name] : []))
  if (!over || names.length === 0 || now - Date.parse(over) > remindedDays * dayMs) return null
  return (
    <Alert color="yellow" icon={<IconArrowBackUp size={18} />}>
      <b>{t('leftBehind.title')}</b>
      <br />
      {t('leftBehind.text', { names: names.join(', ') })}
    </Alert>
  )
}
