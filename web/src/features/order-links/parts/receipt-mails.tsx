import type { ReceiptMail } from '@isotherm/contract/order-links.ts'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../../../lib/times.ts'
import classes from './order-links.module.css'

/** To whom the receipt of a hand-over was mailed, when and why. */
export function ReceiptMails({ mails, zone }: { mails: readonly ReceiptMail[]; zone: string }) {
  const { t } = useTranslation('orderLinks')
  return mails.map(({ to, state, at, cause, by }) => {
    const mail = t(`receiptMail.state.${state}`, { to, time: formatTime(at, zone) })
    const why = t(`receiptMail.cause.${cause}`, { by: by ?? '' })
    return (
      <span key={`${to} ${at} ${cause}`} className={classes.small}>
        {t('receiptMail.line', { mail, cause: why })}
      </span>
    )
  })
}
