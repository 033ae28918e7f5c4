import type { Shipment } from '@isotherm/contract/shipments.ts'
import type { Verdict } from '@isotherm/contract/stats.ts'
import { Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { named } from '../../../lib/named.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import frames from '../../../ui/frames.module.css'
import { StateDot, type Tone } from '../../../ui/state-dot.tsx'
import { ToneBadge } from '../../../ui/tone-badge.tsx'

const stateTones = { pending: 'cold', ongoing: 'ok', completed: 'none', cancelled: 'none' } as const

/** The state of a shipment in a word, and whether it is late. */
export function ShipmentState({ shipment: { state, isLate } }: { shipment: Pick<Shipment, 'state' | 'isLate'> }) {
  const { t } = useTranslation('shipments')
  return (
    <Group gap={6} wrap="nowrap">
      <ToneBadge tone={stateTones[state]}>{t(`state.${state}`)}</ToneBadge>
      {isLate && <StateDot tone="warning" label={t('late')} />}
    </Group>
  )
}

const tones: Record<Verdict, Tone> = {
  ...{ inRange: 'ok', incomplete: 'warning', outOfRange: 'warm', noLimits: 'none', noData: 'none' },
}

/** The verdict on a shipment's goods so far; nothing before the start. */
export function ShipmentCondition({ verdict }: { verdict: Verdict | null }) {
  const { t } = useTranslation('shipments')
  return verdict === null ? <>–</> : <StateDot tone={tones[verdict]} label={t(`verdict.${verdict}`)} />
}

/** How many devices of a shipment under way are out of range, silent and in range now; the worst first. */
export function DevicesNow({ shipment: { devicesNow } }: { shipment: Pick<Shipment, 'devicesNow'> }) {
  const { t } = useTranslation('shipments')
  return (['outOfRange', 'silent', 'inRange'] as const).map((state) => {
    const count = devicesNow?.[state] ?? 0
    return (
      count > 0 && (
        <div key={state} className={frames.note}>
          {named(t(`devicesNow.${state}`), formatNumber(count))}
        </div>
      )
    )
  })
}
