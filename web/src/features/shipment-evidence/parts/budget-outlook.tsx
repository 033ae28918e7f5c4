import { type BudgetOutlook as Outlook, shipmentEvidence } from '@isotherm/contract/shipment-evidence.ts'
import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { shownLeftPct } from '@isotherm/contract/shown-figures.ts'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatTemperature } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDuration, formatTime } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { Panel } from '../../../ui/panel.tsx'
import { ToneBadge } from '../../../ui/tone-badge.tsx'
import classes from './evidence.module.css'

const tones = { within: 'ok', atRisk: 'warning', beyond: 'warm', unknown: 'none' } as const

/** Whether a shipment under way arrives within its budget, and why; nothing for any other. */
export function BudgetOutlook({ shipment }: { shipment: ShipmentDetails }) {
  const { t } = useTranslation('shipmentEvidence')
  const isUnderWay = shipment.state === 'ongoing'
  const { data, error, refetch } = useCall(
    shipmentEvidence.outlook,
    { params: { id: shipment.id } },
    { enabled: isUnderWay },
  )
  if (!isUnderWay || data === null) return null
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={120} />
  return (
    <Panel title={t('outlook.title')}>
      <ToneBadge tone={tones[data.state]}>{t(`outlook.state.${data.state}`)}</ToneBadge>
      <Sides outlook={data} />
      <ul className={classes.list}>
        {data.reasons.map((reason) => (
          <li key={reason}>{t(`outlook.reason.${reason}`)}</li>
        ))}
        {data.arrival && (
          <li>{t(data.arrival.trips > 0 ? 'outlook.arrival' : 'outlook.plan', arrivalOf(data.arrival))}</li>
        )}
        {data.measuredUntil && <li>{t('outlook.measured', { time: formatTime(data.measuredUntil) })}</li>}
        {data.reasons.includes('history') && <li>{t('outlook.past', { count: data.pastShipments })}</li>}
      </ul>
      <p className={frames.note}>{t('outlook.note')}</p>
    </Panel>
  )
}

const arrivalOf = ({ earliest, latest, timezone, trips }: NonNullable<Outlook['arrival']>) => ({
  ...{ from: formatTime(earliest, timezone), to: formatTime(latest, timezone), zone: timezone, count: trips },
})

/** Rounded down, as everywhere that a budget is shown. */
const leftText = (leftPct: number) => formatNumber(shownLeftPct({ state: 'ok', leftPct }) ?? 0)

function Sides({ outlook: { sides } }: { outlook: Outlook }) {
  const { t } = useTranslation('shipmentEvidence')
  return (
    <ul className={classes.list}>
      {sides.map(({ side, limitC, allowedMs, leftMs, use }) => (
        <li key={side} className={classes.item}>
          <b>{t(`outlook.side.${side}`, { limit: formatTemperature(limitC) })}</b>
          <span>
            {t('outlook.left', {
              ...{ left: formatDuration(leftMs), allowed: formatDuration(allowedMs) },
              percent: leftText((leftMs / allowedMs) * 100),
            })}
          </span>
          {use && (
            <span className={frames.note}>
              {t('outlook.use', { low: formatDuration(use.lowMs), high: formatDuration(use.highMs) })}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
