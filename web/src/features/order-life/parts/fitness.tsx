import { orderLife } from '@isotherm/contract/order-life.ts'
import { List, Skeleton, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { StateDot, type Tone } from '../../../ui/state-dot.tsx'

const tones: Record<'green' | 'amber' | 'red', Tone> = { green: 'ok', amber: 'warning', red: 'warm' }

/** Whether an order is fit to start, and what speaks against it. */
export function Fitness({ orderId }: { orderId: string }) {
  const { t } = useTranslation('orderLife')
  const { data } = useCall(orderLife.fit, { params: { id: orderId } }, { staleTimeMs: 0 })
  if (!data) return <Skeleton height={48} />
  return (
    <Stack gap={6}>
      <StateDot tone={tones[data.level]} label={t(`fit.${data.level}`)} />
      {data.level === 'amber' && <Text size="sm">{t('fitNote')}</Text>}
      {data.refusal && <Text size="sm">{data.refusal.message}</Text>}
      {data.warnings.length > 0 && (
        <List size="sm">
          {data.warnings.map(({ code, device, value }) => (
            <List.Item key={`${code} ${device?.id}`}>
              {device && `${device.name}: `}
              {t(`warning.${code}`, { value: value ?? '' })}
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  )
}
