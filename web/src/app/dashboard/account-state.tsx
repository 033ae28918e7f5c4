import type { Dashboard } from '@isotherm/contract/dashboard.ts'
import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/numbers.ts'
import { formatDate } from '../../lib/times.ts'
import { StateDot } from '../../ui/state-dot.tsx'
import shared from '../overview.module.css'
import classes from './dashboard.module.css'

interface Props {
  wallets: NonNullable<Dashboard['wallets']>
  licences: NonNullable<Dashboard['licences']>
}

/** The company's account: places for devices, until when, and units for messages. */
export function AccountState({ wallets, licences }: Props) {
  const { t } = useTranslation('dashboard')
  const { places, taken, expired, endingSoon, nextEndAt } = licences
  return (
    <Paper className={shared.panel} component="section" aria-label={t('account.title')}>
      <h2 className={shared.heading}>{t('account.title')}</h2>
      <ul className={classes.account}>
        <Line>{t('account.places', { taken: formatNumber(taken), places: formatNumber(places) })}</Line>
        <Line warning={endingSoon > 0 && t('account.endingSoon', { count: endingSoon })}>
          {nextEndAt ? t('account.nextEnd', { date: formatDate(nextEndAt) }) : t('account.noEnd')}
        </Line>
        {expired > 0 && <Line warning={t('account.expired', { count: expired })} />}
        {wallets.map(({ kind, remaining, warnBelow }) => (
          <Line
            key={kind}
            warning={remaining <= 0 ? t('account.none') : remaining < warnBelow ? t('account.low') : false}
          >
            {t(`account.${kind}`, { count: remaining })}
          </Line>
        ))}
      </ul>
    </Paper>
  )
}

const Line = ({ children, warning = false }: { children?: ReactNode; warning?: string | false }) => (
  <li>
    {children && <span>{children}</span>}
    {warning && <StateDot tone="warning" label={warning} />}
  </li>
)
