import { orderLife } from '@isotherm/contract/order-life.ts'
import { List, Skeleton, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { named } from '../../../lib/named.ts'
import { useCall } from '../../../lib/query.ts'
import { StateDot, type Tone } from '../../../ui/state-dot.tsx'
import { writeWarningValue } from '../warning-value.ts'

const tones: Record<'green' | 'amber' | 'red', Tone> = { green: 'ok', amber: 'warning', red: 'warm' }

/** Whether an order is fit to start, and what speaks against it. */
export function Fitness({ orderId }: { orderId: string }) {
  const { t } = useTranslation('orderLife')
  const { data } = useCall(orderLife.fit, { params: { id: orderId } }, { staleTimeMs: 0 })
  if (!data) return <Skeleton height={48} />
  const said = ({ code, value }: (typeof data.warnings)[number]) =>
    t(`warning.${code}`, { value: writeWarningValue(value ?? '') })
  return (
    <Stack gap={6}>
      <StateDot tone={tones[data.level]} label={t(`fit.${data.level}`)} />
      {data.level === 'amber' && <Text size="sm">{t('fitNote')}</Text>}
      {data.refusal && <Text size="sm">{data.refusal.message}</Text>}
      {data.warnings.length > 0 && (
        <List size="sm">
          {data.warnings.map((each) => (
            <List.Item key={`${each.code} ${each.device?.id}`}>
              {each.device ? named(each.device.name, said(each)) : said(each)}
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  )
}
