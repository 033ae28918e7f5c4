import {
  type BillingCadence,
  type BillingDetails,
  billing as billingCalls,
  type Payment,
} from '@isotherm/contract/billing.ts'
import { type Plan, plans, type RenewalPayment, type Subscription } from '@isotherm/contract/plans.ts'
import { Checkbox, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { formatMoney } from '../../../lib/money.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { InvoiceTo } from '../../../shared/payment/invoice-to.tsx'
import { PriceSums } from '../../../shared/payment/price-sums.tsx'
import { WithDetails } from '../../../shared/payment/with-details.tsx'
import { FormDrawer } from '../../../ui/form/form-drawer.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'

/** A plan on sale, or the next period of one that the company has. */
export type ToPay = { plan: Plan; billing: BillingCadence } | { owing: Subscription }

interface SubscribeDrawerProps {
  of: ToPay
  onClose: () => void
  /** A payment was begun whose page is not known yet. */
  onBegun: (id: string) => void
}

/** The price of a plan with its taxes and what happens next; then off to the provider's page. */
export function SubscribeDrawer(props: SubscribeDrawerProps) {
  const title = useTitle(props.of)
  return (
    <WithDetails title={title} onClose={props.onClose}>
      {(details, onChange) => <Order {...props} details={details} onChangeDetails={onChange} />}
    </WithDetails>
  )
}

const isOwing = (of: ToPay): of is { owing: Subscription } => 'owing' in of

function useTitle(of: ToPay): string {
  const { t } = useTranslation('subscription')
  return isOwing(of)
    ? t('subscribe.payTitle', { plan: of.owing.plan.name })
    : t('subscribe.title', { plan: of.plan.name })
}

/** The price as it is now: billing details may have changed the currency and the taxes. */
function usePrice(of: ToPay) {
  const onSale = useCall(plans.plans, { query: { perPage: 100 } })
  if (isOwing(of)) return of.owing.owed
  const plan = onSale.data?.data.find(({ id }) => id === of.plan.id)
  return plan?.prices.find((one) => one.billing === of.billing)?.price
}

type OrderProps = SubscribeDrawerProps & { details: BillingDetails; onChangeDetails: () => void }

function Order({ of, details, onChangeDetails, onClose, onBegun }: OrderProps) {
  const { t } = useTranslation('subscription')
  const title = useTitle(of)
  const price = usePrice(of)
  const billing = isOwing(of) ? (of.owing.next?.billing ?? of.owing.billing) : of.billing
  const name = isOwing(of) ? (of.owing.next?.plan.name ?? of.owing.plan.name) : of.plan.name
  const form = useEntityForm<{ keepCard: boolean }, RenewalPayment, Payment>({
    initialValues: { keepCard: true },
    schema: plans.payRenewal.body,
    toBody: ({ keepCard }) => ({ keepCard, total: price?.total ?? 0, currency: price?.currency ?? '' }),
    save: (body) =>
      pay(of, body).catch(async (error: unknown) => {
        // The price may have changed: the next try shows the new one.
        await refetchCalls(plans.plans, plans.subscriptions)
        throw error
      }),
    onSaved: (payment) => {
      void refetchCalls(billingCalls.openPayments, plans.subscriptions)
      if (payment.url) window.location.assign(payment.url)
      else onBegun(payment.id)
    },
  })
  return (
    <FormDrawer
      title={title}
      form={{ ...form, submit: () => price && form.submit() }}
      submitLabel={
        price ? t('subscribe.pay', { money: formatMoney(price.total, price.currency) }) : t('subscribe.payNothing')
      }
      onClose={onClose}
    >
      <Text>
        <b>{name}</b>, {t(`plan.billing.${billing}`)}
      </Text>
      {price ? <PriceSums price={price} /> : <Text size="sm">{t(`plans.notSoldSo.${billing}`)}</Text>}
      <InvoiceTo details={details} onChange={onChangeDetails} />
      <Checkbox
        label={t('subscribe.keepCard')}
        description={t('subscribe.keepCardHelp')}
        {...form.fields.getInputProps('keepCard', { type: 'checkbox' })}
      />
      {!isOwing(of) && (
        <>
          <Text size="sm" c="dimmed">
            {t(`subscribe.next.${billing}`)}
          </Text>
          <Text size="sm" c="dimmed">
            {t('subscribe.devices')}
          </Text>
        </>
      )}
    </FormDrawer>
  )
}

const pay = (of: ToPay, body: RenewalPayment): Promise<Payment> =>
  isOwing(of)
    ? call(plans.payRenewal, { params: { id: of.owing.id }, body })
    : call(plans.subscribe, { body: { ...body, planId: of.plan.id, billing: of.billing } })
