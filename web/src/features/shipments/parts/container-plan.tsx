import { type MeasuredDevice, shipments } from '@isotherm/contract/shipment-calls.ts'
import type { ShipmentDetails, ShipmentDevice } from '@isotherm/contract/shipments.ts'
import { IconPackage, IconWind } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatTemperature } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDuration } from '../../../lib/times.ts'
import frames from '../../../ui/frames.module.css'
import { Panel } from '../../../ui/panel.tsx'
import classes from './container-plan.module.css'

const probeOf = ({ place }: ShipmentDevice) => Number(/^pulp(\d+)$/.exec(place)?.[1] ?? 0)

/** The devices on a shipment drawn at their places, each with the range that it measured; nothing where there are none. */
export function ContainerPlan({ shipment }: { shipment: ShipmentDetails }) {
  const { t } = useTranslation('shipments')
  const { legs, startedAt } = shipment
  const devices = shipment.devices.filter(({ leftAt }) => leftAt === null)
  const asked = { params: { id: shipment.id } }
  const { data } = useCall(shipments.conditions, asked, { enabled: startedAt !== null, refetchMs: 60_000 })
  const measured = new Map(data?.find(({ legId }) => legId === null)?.devices.map((device) => [device.id, device]))
  if (devices.length === 0) return null
  const isContainer = legs.some(({ containerNo, mode }) => containerNo !== null || mode === 'sea')
  const marks = (own: readonly ShipmentDevice[]) =>
    own.map((device) => <Mark key={device.id} device={device} measured={measured.get(device.id)} />)
  const atUnit = devices.filter(({ place }) => place === 'air' || place === 'return')
  const withGoods = devices.filter((device) => device.place === 'pallet' || probeOf(device) > 0)
  const inSequence = withGoods.toSorted((a, b) => probeOf(a) - probeOf(b))
  return (
    <Panel title={t(isContainer ? 'plan.container' : 'plan.goods')}>
      <div className={classes.plan} data-container={isContainer || undefined}>
        {isContainer && <span className={classes.end}>{t('plan.unit')}</span>}
        {atUnit.length > 0 && <ul className={classes.air}>{marks(atUnit)}</ul>}
        {inSequence.length > 0 && <ul className={classes.goods}>{marks(inSequence)}</ul>}
        {isContainer && <span className={classes.end}>{t('plan.doors')}</span>}
      </div>
      <p className={frames.note}>{t(isContainer ? 'plan.text' : 'plan.textGoods')}</p>
    </Panel>
  )
}

/** A device at its place: what it is, and what it measured since the start. */
function Mark({ device, measured }: { device: ShipmentDevice; measured: MeasuredDevice | undefined }) {
  const { t } = useTranslation('shipments')
  const isOutside = (measured?.outsideMs ?? 0) > 0
  const hasRange = measured !== undefined && measured.minC !== null && measured.maxC !== null
  const range = hasRange
    ? t('plan.range', { min: formatTemperature(measured.minC), max: formatTemperature(measured.maxC) })
    : t('plan.noReadings')
  const probe = probeOf(device)
  const Icon = device.place === 'pallet' ? IconPackage : IconWind
  return (
    <li className={classes.mark} data-tone={isOutside ? 'warm' : hasRange ? 'ok' : 'none'}>
      <span className={classes.dot} aria-hidden>
        {probe > 0 ? probe : <Icon size={14} />}
      </span>
      <div>
        <strong>{t(`place.${device.place}`)}</strong>
        <span className={classes.name}>{[device.name, device.palletRef].filter(Boolean).join(' · ')}</span>
        <span>{range}</span>
        {isOutside && (
          <span className={classes.outside}>
            {t('plan.outside', { time: formatDuration(measured?.outsideMs ?? 0) })}
          </span>
        )}
      </div>
    </li>
  )
}
