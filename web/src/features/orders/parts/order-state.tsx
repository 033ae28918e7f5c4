import type { Order } from '@isotherm/contract/orders.ts'
import type { Verdict } from '@isotherm/contract/stats.ts'
import { Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { StateDot, type Tone } from '../../../ui/state-dot.tsx'
import { ToneBadge } from '../../../ui/tone-badge.tsx'

const stateTones = { new: 'cold', inProgress: 'ok', completed: 'none', cancelled: 'none', snoozed: 'warning' } as const

/** The state of an order in a word, and whether it is late. */
export function OrderStateBadge({ order }: { order: Pick<Order, 'state' | 'isSnoozed' | 'isLate'> }) {
  const { t } = useTranslation('orders')
  const state = order.isSnoozed ? 'snoozed' : order.state
  return (
    <Group gap="2px 6px">
      <ToneBadge tone={stateTones[state]}>{t(`state.${state}`)}</ToneBadge>
      {order.isLate && <StateDot tone="warning" label={t('late')} />}
    </Group>
  )
}

const tones: Record<Verdict, Tone> = {
  ...{ inRange: 'ok', incomplete: 'warning', outOfRange: 'warm', noLimits: 'none', noData: 'none' },
}

/** The verdict on an order's goods so far; nothing before the start. */
export function OrderCondition({ verdict }: { verdict: Verdict | null }) {
  const { t } = useTranslation('orders')
  if (verdict === null) return <span title={t('noVerdict')}>–</span>
  return <StateDot tone={tones[verdict]} label={t(`verdict.${verdict}`)} />
}
