import type { Entitlement } from '@isotherm/contract/subscription.ts'
import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../../lib/times.ts'
import { Panel } from '../../../ui/panel.tsx'
import { StateDot, type Tone } from '../../../ui/state-dot.tsx'
import { TextLink } from '../../../ui/text-link.tsx'
import { daysLeft } from '../days-left.ts'

/** Days are told where they are few enough to mean something. */
const maxCounted = 60

const tones: Record<Entitlement['state'], Tone> = { open: 'ok', trial: 'ok', running: 'ok', expired: 'warning' }

/** Until when the company may begin new things, what then goes on, and how to renew. */
export function Standing({ entitlement, mayRenew }: { entitlement: Entitlement; mayRenew: boolean }) {
  const { t } = useTranslation('subscription')
  const { state, until, supportEmail, admins, renews, isPaused } = entitlement
  const goesOn = state === 'running' && renews && !isPaused
  const days = until ? daysLeft(until, Date.now()) : 0
  return (
    <Panel title={t('standing.title')}>
      <StateDot tone={tones[state]} label={t(`standing.state.${state}`)} />
      {until && (
        <Text mt={6}>
          {state === 'expired'
            ? t('standing.since', { date: formatDate(until) })
            : days > maxCounted
              ? t('standing.untilDate', { date: formatDate(until) })
              : t('standing.until', { date: formatDate(until), count: days })}
        </Text>
      )}
      {state !== 'open' && !goesOn && (
        <Text size="sm" c="dimmed" mt={6}>
          {t(state === 'expired' ? 'standing.goesOn' : 'standing.afterwards')}
        </Text>
      )}
      {state !== 'open' && (
        <Text size="sm" mt="sm">
          {goesOn
            ? t('standing.renews')
            : mayRenew
              ? t('standing.renew')
              : t('standing.ask', { names: admins.join(', ') })}
          {mayRenew && (
            <>
              {' '}
              <TextLink to="/subscription/devices">{t('standing.toPlans')}</TextLink>
            </>
          )}
          {supportEmail && (
            <>
              {' '}
              {t('standing.write')} <Anchor href={`mailto:${supportEmail}`}>{supportEmail}</Anchor>
            </>
          )}
        </Text>
      )}
    </Panel>
  )
}
