import type { BillingCadence } from '@isotherm/contract/billing.ts'
import { type Plan, plans, type Subscription } from '@isotherm/contract/plans.ts'
import { Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { useCall } from '../../../lib/query.ts'
import { Payments } from '../../../shared/payment/payments.tsx'
import { usePayments } from '../../../shared/payment/use-payments.ts'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { Page } from '../../../ui/page.tsx'
import { ChangeDrawer } from '../parts/change-drawer.tsx'
import { PayDrawer } from '../parts/pay-drawer.tsx'
import { PlansOnSale } from '../parts/plans-on-sale.tsx'
import { RunningPlan } from '../parts/running-plan.tsx'
import { SubscribeDrawer } from '../parts/subscribe-drawer.tsx'
import { SubscribedDevices } from '../parts/subscribed-devices.tsx'
import { SubscriptionTabs } from '../parts/subscription-tabs.tsx'
import { UnlicensedDevices } from '../parts/unlicensed-devices.tsx'

type OpenDrawer = { plan: Plan; billing: BillingCadence } | { of: Subscription } | { owing: Subscription }

/** The plans that the company has, the devices on them, and the plans on sale. */
export function SubscribedDevicesPage() {
  const { t } = useTranslation('subscription')
  const mayPay = useCan('payments.addOrEdit')
  const payments = usePayments()
  const own = useCall(plans.subscriptions, { query: { perPage: 100 } })
  const onSale = useCall(plans.plans, { query: { perPage: 100 } })
  const [asked, setAsked] = useState<OpenDrawer | null>(null)
  const drawer = {
    onClose: () => setAsked(null),
    onBegun: (id: string) => {
      setAsked(null)
      payments.show(id)
    },
  }
  const running = own.data?.data.filter(({ state }) => state !== 'cancelled') ?? []
  const failed = own.error ?? onSale.error
  return (
    <Page title={t('title')} tabs={<SubscriptionTabs />} width="text">
      <div className={frames.stack}>
        <Payments of={payments} />
        {own.data && onSale.data ? (
          <>
            {running.map((subscription) => (
              <RunningPlan
                key={subscription.id}
                of={subscription}
                mayPay={mayPay}
                isSold={onSale.data.data.length > 0}
                onChange={() => setAsked({ of: subscription })}
                onRenew={(plan) => setAsked({ plan, billing: subscription.billing })}
                onPay={() => setAsked({ owing: subscription })}
                plans={onSale.data.data}
              />
            ))}
            {running.length > 0 && <SubscribedDevices mayChange={mayPay} />}
            <UnlicensedDevices running={running} mayChange={mayPay} />
            <PlansOnSale
              plans={onSale.data.data}
              isFirst={running.length === 0}
              onChoose={mayPay ? (plan, billing) => setAsked({ plan, billing }) : undefined}
            />
            {running.length === 0 && <SubscribedDevices mayChange={mayPay} />}
          </>
        ) : failed ? (
          <Failure
            error={failed}
            onRetry={() => {
              void own.refetch()
              void onSale.refetch()
            }}
          />
        ) : (
          <Skeleton height={280} role="status" aria-label={t('common:list.loading')} />
        )}
        {!mayPay && <Text size="sm">{t('plans.askAdmin')}</Text>}
      </div>
      {asked && 'plan' in asked && <SubscribeDrawer {...asked} {...drawer} />}
      {asked && 'owing' in asked && <PayDrawer of={asked.owing} {...drawer} />}
      {asked && 'of' in asked && <ChangeDrawer of={asked.of} plans={onSale.data?.data ?? []} {...drawer} />}
    </Page>
  )
}
