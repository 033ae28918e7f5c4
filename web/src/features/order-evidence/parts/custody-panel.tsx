import { type Holder, type OrderCustody, orderEvidence } from '@isotherm/contract/order-evidence.ts'
import type { OrderDetails } from '@isotherm/contract/orders.ts'
import { provesInRange } from '@isotherm/contract/stats.ts'
import { Paper } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { formatDuration, formatSpan } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import classes from './evidence.module.css'

/** The holders of the goods from the start on, and those who had them while they were out of range. */
export function CustodyPanel({ order }: { order: OrderDetails }) {
  const { t } = useTranslation('orderEvidence')
  const answer = useCall(orderEvidence.custody, { params: { id: order.id } })
  const custody = answer.data
  return (
    <Paper component="section" className={frames.panel} aria-labelledby="order-custody">
      <h2 id="order-custody">{t('custody.title')}</h2>
      {answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {custody === null && <p className={frames.note}>{t('custody.none')}</p>}
      {custody && <Custody custody={custody} isProven={provesInRange(order)} />}
    </Paper>
  )
}

function Custody({ custody, isProven }: { custody: OrderCustody; isProven: boolean }) {
  const { t } = useTranslation('orderEvidence')
  const { devices, totals, hiddenDevices } = custody
  return (
    <>
      {devices.length === 0 && <p className={frames.note}>{t('custody.noDevices')}</p>}
      {devices.map((device) => (
        <DeviceCustody key={device.id} device={device} />
      ))}
      {devices.length > 0 && totals.length === 0 && (
        <p className={frames.note}>{t(isProven ? 'custody.inRange' : 'custody.unproven')}</p>
      )}
      {totals.length > 0 && (
        <>
          <p className={classes.device}>{t('custody.total')}</p>
          <ul className={classes.list}>
            {totals.map(({ holder, ms }) => (
              <li key={`${holder.kind} ${holder.receiverId}`} className={classes.item}>
                <Swatch holder={holder} />
                <HolderName holder={holder} />
                <span className={classes.out}>{formatDuration(ms)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {hiddenDevices > 0 && <p className={frames.note}>{t('custody.hidden', { count: hiddenDevices })}</p>}
    </>
  )
}

function DeviceCustody({ device: { name, stretches } }: { device: OrderCustody['devices'][number] }) {
  const { t } = useTranslation('orderEvidence')
  return (
    <>
      <p className={classes.device}>{name}</p>
      <div className={classes.bar} aria-hidden="true">
        {stretches.map(({ holder, from, to }) => (
          <div
            key={from}
            className={`${classes.stretch} ${classes[holder.kind]}`}
            style={{ flexGrow: Date.parse(to) - Date.parse(from) }}
          />
        ))}
      </div>
      <ul className={classes.list}>
        {stretches.map(({ holder, from, to, basis, outMs }) => (
          <li key={from} className={classes.item}>
            <Swatch holder={holder} />
            <HolderName holder={holder} />
            <span className={frames.note}>
              {t('custody.span', { holder: t(`custody.basis.${basis}`), ...formatSpan(from, to) })}
            </span>
            {outMs > 0 && <span className={classes.out}>{t('custody.out', { time: formatDuration(outMs) })}</span>}
          </li>
        ))}
      </ul>
    </>
  )
}

const Swatch = ({ holder }: { holder: Holder }) => <span className={`${classes.swatch} ${classes[holder.kind]}`} />

function HolderName({ holder: { kind, name } }: { holder: Holder }) {
  const { t } = useTranslation('orderEvidence')
  return <span>{name ? t('custody.held', { kind: t(`holders.${kind}`), name }) : t(`holders.${kind}`)}</span>
}
