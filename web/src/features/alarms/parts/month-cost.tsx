import type { BackTest } from '@isotherm/contract/back-test.ts'
import type { WalletKind } from '@isotherm/contract/units.ts'
import { maxUnitsBought, wallet } from '@isotherm/contract/wallet.ts'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../../lib/money.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import classes from './alarms.module.css'

/** Says what an alarm like this costs a month, by the last 30 days: in units, and in money for who may see it where units are sold. */
export function MonthCost({ result: { smsUnits, chatUnits } }: { result: Pick<BackTest, 'smsUnits' | 'chatUnits'> }) {
  const { t } = useTranslation('alarms')
  const prices = [usePriceOf('sms', smsUnits), usePriceOf('chat', chatUnits)].filter((price) => price !== null)
  const [first] = prices
  if (smsUnits + chatUnits === 0) return null
  const parts = [
    smsUnits > 0 && t('backTest.cost.sms', { count: smsUnits, number: formatNumber(smsUnits) }),
    chatUnits > 0 && t('backTest.cost.chat', { count: chatUnits, number: formatNumber(chatUnits) }),
  ]
  // A kind that is not sold has no price: the sum would be too small.
  const isWhole = prices.length === parts.filter(Boolean).length
  const total = prices.reduce((sum, price) => sum + price.total, 0)
  return (
    <p className={classes.summary}>
      {t('backTest.cost.month', { units: parts.filter(Boolean).join(' + ') })}
      {first && isWhole && ` ${t('backTest.cost.money', { money: formatMoney(total, first.currency) })}`}{' '}
      {t('backTest.cost.basis')}
    </p>
  )
}

/** The price of so many units as they are sold now, with taxes; null where it is not known, or not to be seen. */
function usePriceOf(kind: WalletKind, units: number) {
  const enabled = units > 0 && units <= maxUnitsBought
  const { data } = useCall(wallet.price, { query: { kind, units: Math.max(1, units) } }, { enabled })
  return (enabled && data?.quote?.price) || null
}
