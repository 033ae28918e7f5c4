import type { Price } from '@isotherm/contract/billing.ts'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../lib/money.ts'
import { formatPercent } from '../../lib/numbers.ts'
import classes from './payment.module.css'

const decimalsOf = (basisPoints: number) => (basisPoints % 100 === 0 ? 0 : basisPoints % 10 === 0 ? 1 : 2)

/** Net, each tax, and the total that will be paid. */
export function PriceSums({ price: { net, taxes, total, currency, taxNote } }: { price: Price }) {
  const { t } = useTranslation('wallet')
  return (
    <dl className={classes.sums} aria-live="polite">
      <dt>{t('sums.net')}</dt>
      <dd>{formatMoney(net, currency)}</dd>
      {taxes.map(({ name, basisPoints, amount }) => [
        <dt key={name}>
          {name} {formatPercent(basisPoints / 100, decimalsOf(basisPoints))}
        </dt>,
        <dd key={`${name} amount`}>{formatMoney(amount, currency)}</dd>,
      ])}
      {taxNote && (
        <dt className={classes.note}>
          {taxNote === 'reverse_charge' ? t('sums.reverseCharge') : t('sums.exempt', { reason: taxNote })}
        </dt>
      )}
      <dt className={classes.total}>{t('sums.total')}</dt>
      <dd className={classes.total}>{formatMoney(total, currency)}</dd>
    </dl>
  )
}
