import type { Dashboard } from '@isotherm/contract/dashboard.ts'
import type { DeviceStatus } from '@isotherm/contract/devices.ts'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/numbers.ts'
import { AnchorLink } from '../../ui/links.tsx'
import classes from './dashboard.module.css'

/** The states that are neither live nor silent: the four figures leave them out. */
const states = ['awaiting', 'paused', 'flightMode', 'off', 'expired'] as const satisfies DeviceStatus[]

/** How many devices are in each of the other states, a link to each; nothing where there are none. */
export function OtherStates({ summary: { byStatus } }: { summary: NonNullable<Dashboard['devices']>['summary'] }) {
  const { t } = useTranslation('dashboard')
  const found = states.filter((state) => byStatus[state] > 0)
  if (found.length === 0) return null
  return (
    <ul className={classes.states} aria-label={t('figures.others')}>
      {found.map((state) => (
        <li key={state}>
          <AnchorLink size="sm" to="/devices/device-overview" search={{ status: state }}>
            {t(`devices:filter.${state}`)}
          </AnchorLink>{' '}
          {formatNumber(byStatus[state])}
        </li>
      ))}
    </ul>
  )
}
