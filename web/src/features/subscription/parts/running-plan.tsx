import { type Plan, plans, type Subscription } from '@isotherm/contract/plans.ts'
import { subscription } from '@isotherm/contract/subscription.ts'
import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { formatMoney } from '../../../lib/money.ts'
import { refreshProfile } from '../../../lib/profile.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { formatDate } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import { Panel } from '../../../ui/panel.tsx'
import { StateDot, type Tone } from '../../../ui/state-dot.tsx'

interface RunningPlanProps {
  of: Subscription
  mayPay: boolean
  /** Whether any plan is on sale to change to. */
  isSold: boolean
  plans: Plan[]
  onChange: () => void
  onRenew: (plan: Plan) => void
  onPay: () => void
}

const tones: Record<Subscription['state'], Tone> = {
  active: 'ok',
  past_due: 'warning',
  expired: 'warning',
  cancelled: 'none',
}

/** A plan of the company: how it stands, what happens next and when, and what can be done about it. */
export function RunningPlan({ of, mayPay, isSold, plans: onSale, onChange, onRenew, onPay }: RunningPlanProps) {
  const { t } = useTranslation('subscription')
  const { plan, billing, state, cancelAtEnd, devices } = of
  const again = onSale.find(({ id, prices }) => id === plan.id && prices.some((one) => one.billing === billing))
  return (
    <Panel title={plan.name}>
      <StateDot
        tone={cancelAtEnd ? 'warning' : tones[state]}
        label={t(cancelAtEnd && state === 'active' ? 'plan.state.ending' : `plan.state.${state}`)}
      />
      <Next of={of} />
      <Text size="sm" c="dimmed" mt={6}>
        {t('plan.places', { used: devices.used, count: devices.of })} · {t(`plan.billing.${billing}`)}
      </Text>
      {of.lapsing.length > 0 && (
        <Text size="sm" mt={6}>
          {t('plan.lapsing', {
            names: of.lapsing.map(({ name }) => name).join(', '),
            count: of.lapsing.length,
            date: formatDate(of.periodEnd, of.zone),
          })}
        </Text>
      )}
      {mayPay && (
        <Group gap="xs" mt="md">
          {of.owed && (
            <Button onClick={onPay}>{t('plan.pay', { money: formatMoney(of.owed.total, of.owed.currency) })}</Button>
          )}
          {state === 'expired' && !of.owed && again && (
            <Button onClick={() => onRenew(again)}>{t('plan.renew')}</Button>
          )}
          {state === 'active' && !cancelAtEnd && isSold && (
            <Button variant="default" onClick={onChange}>
              {t('plan.change')}
            </Button>
          )}
          {state === 'active' && cancelAtEnd ? (
            <Button variant="default" onClick={() => void resume(of).catch(() => undefined)}>
              {t('plan.resume')}
            </Button>
          ) : (
            <Button variant="subtle" color="red" onClick={() => askToCancel(of, t)}>
              {t('plan.cancel')}
            </Button>
          )}
        </Group>
      )}
    </Panel>
  )
}

/** The sentence on what happens next, and when. */
function Next({ of: { state, cancelAtEnd, periodEnd, zone, renewal, next } }: { of: Subscription }) {
  const { t } = useTranslation('subscription')
  const date = formatDate(periodEnd, zone)
  const money = renewal && formatMoney(renewal.total, renewal.currency)
  if (state === 'expired') return <Text mt={6}>{t('plan.expired', { date })}</Text>
  if (state === 'past_due') return <Text mt={6}>{t('plan.pastDue', { date })}</Text>
  if (cancelAtEnd) return <Text mt={6}>{t('plan.ends', { date })}</Text>
  if (next && money)
    return (
      <Text mt={6}>
        {t('plan.changes', { date, plan: next.plan.name, billing: t(`plan.billing.${next.billing}`), money })}
      </Text>
    )
  return <Text mt={6}>{money ? t('plan.renews', { date, money }) : t('plan.notSold', { date })}</Text>
}

const shown = () => {
  void refreshProfile()
  return refetchCalls(plans.subscriptions, plans.devices, plans.searchDevices, subscription.entitlement)
}

const resume = async ({ id }: Subscription) => {
  await call(plans.resume, { params: { id } }, { toastAll: true })
  await shown()
}

function askToCancel({ id, plan, state, periodEnd, zone }: Subscription, t: ReturnType<typeof useTranslation>['t']) {
  const date = formatDate(periodEnd, zone)
  confirm({
    title: t('plan.cancelTitle', { plan: plan.name }),
    text: state === 'active' ? t('plan.cancelText', { date }) : t('plan.cancelNowText'),
    action: t('plan.cancel'),
    destructive: true,
    run: async () => {
      await call(plans.cancel, { params: { id } })
      toastSuccess(state === 'active' ? t('plan.cancelled', { date }) : t('plan.cancelledNow'))
      await shown()
    },
  })
}
