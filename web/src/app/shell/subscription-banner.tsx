import { subscription } from '@isotherm/contract/subscription.ts'
import { IconClockExclamation } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { daysLeft } from '../../features/subscription/days-left.ts'
import { useCan } from '../../lib/can.ts'
import { useCompany } from '../../lib/profile.ts'
import { useCall } from '../../lib/query.ts'
import { formatDate } from '../../lib/times.ts'
import classes from './shell.module.css'

/** So many days before its end a subscription that is no trial is spoken of. */
const warnedDays = 14

/** Says that the trial, or the subscription, ends or has ended, or is not paid, and what to do. Nothing where nothing is sold. */
export function SubscriptionBanner() {
  const { t } = useTranslation('shell')
  const mayRenew = useCan('payments.addOrEdit')
  const standing = useCompany()?.subscription
  const days = standing ? daysLeft(standing.until, Date.now()) : 0
  const isOver = standing?.state === 'expired' || (standing != null && days === 0)
  const isOwed = standing?.isOwed === true && !isOver
  const isEnding = standing?.state === 'running' && days <= warnedDays && !isOwed && !isOver
  const { data } = useCall(subscription.entitlement, {}, { enabled: isOver ? !mayRenew : isEnding && mayRenew })
  if (!standing || (standing.state === 'running' && days > warnedDays && !isOwed)) return null
  // Somebody who cannot renew need not hear of it before it matters to them.
  if (!isOver && !mayRenew) return null
  // Nobody has to do anything where a card pays.
  if (isEnding && (!data || (data.renews && !data.isPaused))) return null
  const values = { count: days, date: formatDate(standing.until) }
  const ends = standing.state === 'trial' ? t('subscription.trial', values) : t('subscription.ends', values)
  const goesOn = isOwed ? t('subscription.owed') : isEnding && data?.isPaused ? t('subscription.paused') : ends
  return (
    <div className={classes.banner} role={isOver ? 'alert' : 'status'} data-calm={!(isOver || isOwed) || undefined}>
      <IconClockExclamation size={18} aria-hidden="true" />
      <span>
        {isOver ? t('subscription.expired', { date: formatDate(standing.until) }) : goesOn}
        {!mayRenew && data && data.admins.length > 0 && (
          <> {t('subscription.ask', { names: data.admins.join(', ') })}</>
        )}
      </span>
      {mayRenew && <Link to="/subscription/devices">{t(isOwed ? 'subscription.pay' : 'subscription.renew')}</Link>}
    </div>
  )
}
