import { type Wallet, wallet } from '@isotherm/contract/wallet.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDate } from '../../../lib/times.ts'
import type { Period } from '../../../ui/list/use-period.ts'
import { Panel } from '../../../ui/panel.tsx'
import { StateDot } from '../../../ui/state-dot.tsx'
import classes from './wallet.module.css'

const daysOfOverview = 30
/** A pace of a few messages says nothing about years. */
const maxDays = 999

interface BalanceProps {
  of: Wallet
  /** The period whose used units are told: the last 30 days where none is chosen. */
  asked: Period['asked']
  onBuy: () => void
}

/** The units of one kind: how many are left, for how long they last, how many were used in a period, and the way to more. */
export function Balance({ of, asked, onBuy }: BalanceProps) {
  const { t } = useTranslation('wallet')
  const mayBuy = useCan('payments.addOrEdit')
  const { kind, remaining, reserved, warnBelow, overdraftPerDay } = of
  const { data: month } = useCall(wallet.overview, { query: { kind } })
  const { data: chosen } = useCall(wallet.overviewOf, { body: { kind, ...asked } }, { keepPrevious: true })
  const days = month && month.used > 0 ? Math.floor((remaining * daysOfOverview) / month.used) : null
  const paceText =
    days === null ? t('balances.idle') : days > maxDays ? t('balances.lastsLong') : t('balances.lasts', { count: days })
  return (
    <Panel title={t(`kinds.${kind}`)}>
      <span className={classes.figure}>{formatNumber(remaining)}</span>
      <div className={classes.lines}>
        {remaining < warnBelow && (
          <StateDot
            tone="warning"
            label={
              remaining < 0
                ? t('balances.overdrawn', { count: -remaining })
                : remaining === 0
                  ? t('balances.none')
                  : t('balances.low')
            }
          />
        )}
        {remaining > 0 && <span>{month ? paceText : '\u00a0'}</span>}
        {chosen && (
          <span>
            {t('balances.used', {
              count: chosen.used,
              number: formatNumber(chosen.used),
              from: formatDate(chosen.period.from),
              to: formatDate(chosen.period.to),
            })}
          </span>
        )}
        {overdraftPerDay > 0 && <span>{t('balances.overdraft', { count: overdraftPerDay })}</span>}
        {reserved > 0 && <span>{t('balances.reserved', { count: reserved })}</span>}
      </div>
      {mayBuy && <Button onClick={onBuy}>{t('balances.buy')}</Button>}
    </Panel>
  )
}
