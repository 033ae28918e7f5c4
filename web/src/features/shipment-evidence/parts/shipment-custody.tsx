import {
  type ShipmentCustody as Custody,
  type ShipmentHolder,
  shipmentEvidence,
} from '@isotherm/contract/shipment-evidence.ts'
import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { provesInRange } from '@isotherm/contract/stats.ts'
import { Skeleton, Table } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { named } from '../../../lib/named.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDuration, formatSpan } from '../../../lib/times.ts'
import { ConditionCells, ConditionHeads } from '../../../shared/export/condition-cells.tsx'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { Panel } from '../../../ui/panel.tsx'
import { Sideways } from '../../../ui/sideways.tsx'
import classes from './evidence.module.css'

/** The holders of a shipment's goods from the start on, and what was measured and out of range with each of them; nothing before the start. */
export function ShipmentCustody({ shipment }: { shipment: ShipmentDetails }) {
  const { t } = useTranslation('shipmentEvidence')
  const { data, error, refetch } = useCall(shipmentEvidence.custody, { params: { id: shipment.id } })
  if (shipment.startedAt === null) return null
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={200} />
  if (data === null) return null
  return (
    <Panel title={t('title')} text={t('custody.text')}>
      <Held custody={data} />
      <MeasuredThere custody={data} />
      <Excursions custody={data} isProven={provesInRange(shipment)} />
      {data.hiddenDevices > 0 && <p className={frames.note}>{t('custody.hidden', { count: data.hiddenDevices })}</p>}
    </Panel>
  )
}

function Held({ custody: { stretches, totals } }: { custody: Custody }) {
  const { t } = useTranslation('shipmentEvidence')
  const { t: ofShipments } = useTranslation('shipments')
  return (
    <>
      <div className={classes.bar} aria-hidden="true">
        {stretches.map(({ holder, from, to }) => (
          <div
            key={from}
            className={`${classes.stretch} ${classes[holder.kind]}`}
            style={{ flexGrow: Date.parse(to) - Date.parse(from) }}
          />
        ))}
      </div>
      <ol className={classes.list}>
        {stretches.map(({ holder, from, to, basis }) => (
          <li key={from} className={classes.item}>
            <span className={`${classes.swatch} ${classes[holder.kind]}`} />
            <HolderName holder={holder} />
            <span className={frames.note}>
              {t('custody.span', formatSpan(from, to))} (
              {basis === 'start' ? t('custody.start') : t('custody.since', { event: ofShipments(`event.${basis}`) })})
            </span>
          </li>
        ))}
      </ol>
      <Sideways label={t('custody.total')}>
        <Table aria-label={t('custody.total')} mt="sm">
          <Table.Thead>
            <Table.Tr>
              {(['holder', 'held', 'out'] as const).map((name) => (
                <Table.Th key={name}>{t(`column.${name}`)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {totals.map(({ holder, heldMs, outsideMs }) => (
              <Table.Tr key={keyOf(holder)}>
                <Table.Td>
                  <HolderName holder={holder} />
                </Table.Td>
                <Table.Td>{formatDuration(heldMs)}</Table.Td>
                <Table.Td>{outsideMs > 0 ? <b>{formatDuration(outsideMs)}</b> : '–'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Sideways>
    </>
  )
}

const keyOf = ({ kind, name, legId }: ShipmentHolder) => `${kind} ${name} ${legId}`

function MeasuredThere({ custody: { stretches } }: { custody: Custody }) {
  const { t } = useTranslation('shipmentEvidence')
  if (stretches.every(({ devices }) => devices.length === 0))
    return <p className={frames.note}>{t('custody.noDevices')}</p>
  return (
    <>
      <h3 className={classes.part}>{t('custody.measured')}</h3>
      <Sideways label={t('custody.measured')}>
        <Table aria-label={t('custody.measured')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('column.holder')}</Table.Th>
              <ConditionHeads />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {stretches.flatMap(({ holder, from, devices }) =>
              devices.map((device, index) => (
                <Table.Tr key={`${from} ${device.id}`}>
                  <Table.Td>{index === 0 && <HolderName holder={holder} />}</Table.Td>
                  <ConditionCells device={device} />
                </Table.Tr>
              )),
            )}
          </Table.Tbody>
        </Table>
      </Sideways>
    </>
  )
}

function Excursions({ custody: { stretches, excursions }, isProven }: { custody: Custody; isProven: boolean }) {
  const { t } = useTranslation('shipmentEvidence')
  if (excursions.length === 0)
    return stretches.some(({ devices }) => devices.length > 0) ? (
      <p className={frames.note}>{t(isProven ? 'custody.inRange' : 'custody.unproven')}</p>
    ) : null
  return (
    <>
      <h3 className={classes.part}>{t('custody.excursions')}</h3>
      <ul className={classes.list}>
        {excursions.map(({ deviceId, deviceName, measure, side, from, to, shares }) => (
          <li key={`${deviceId} ${measure} ${from}`} className={classes.item}>
            <b>{deviceName}</b>
            <span>
              {t(`measure.${measure}`)} {t(`side.${side}`)}
            </span>
            <span className={frames.note}>{t('custody.span', formatSpan(from, to))}</span>
            {shares.map(({ holder, ms }) => (
              <span key={keyOf(holder)} className={classes.share}>
                <span className={`${classes.swatch} ${classes[holder.kind]}`} />
                <HolderName holder={holder} /> <b>{formatDuration(ms)}</b>
              </span>
            ))}
          </li>
        ))}
      </ul>
    </>
  )
}

function HolderName({ holder: { kind, name } }: { holder: ShipmentHolder }) {
  const { t } = useTranslation('shipmentEvidence')
  return <span>{name ? named(t(`holders.${kind}`), name) : t(`holders.${kind}`)}</span>
}
