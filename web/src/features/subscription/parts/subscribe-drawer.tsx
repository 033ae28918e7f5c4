import {
  type BillingCadence,
  type BillingDetails,
  billing as billingCalls,
  type Payment,
} from '@isotherm/contract/billing.ts'
import { cards } from '@isotherm/contract/cards.ts'
import { type Plan, plans, type Subscribing } from '@isotherm/contract/plans.ts'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { onceBy } from '../../../lib/call-key.ts'
import { formatMoney } from '../../../lib/money.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { InvoiceTo } from '../../../shared/payment/invoice-to.tsx'
import { notChosen, type PaidBy, PayByField, usePayBy } from '../../../shared/payment/pay-by-field.tsx'
import { PriceSums } from '../../../shared/payment/price-sums.tsx'
import { WithDetails } from '../../../shared/payment/with-details.tsx'
import { FormDrawer } from '../../../ui/form/form-drawer.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { PeriodNote } from './period-note.tsx'

interface SubscribeDrawerProps {
  plan: Plan
  billing: BillingCadence
  onClose: () => void
  /** A payment was begun whose page is not known yet. */
  onBegun: (id: string) => void
}

/** The price of a plan with its taxes and what happens next; then off to the provider's page. */
export function SubscribeDrawer(props: SubscribeDrawerProps) {
  const { t } = useTranslation('subscription')
  return (
    <WithDetails title={t('subscribe.title', { plan: props.plan.name })} onClose={props.onClose}>
      {(details, onChange) => <Order {...props} details={details} onChangeDetails={onChange} />}
    </WithDetails>
  )
}

type OrderProps = SubscribeDrawerProps & { details: BillingDetails; onChangeDetails: () => void }

function Order({ plan: { id, name, payBy }, billing, details, onChangeDetails, onClose, onBegun }: OrderProps) {
  const { t } = useTranslation('subscription')
  // Billing details may have changed the currency and the taxes.
  const once = onceBy('plan')
  const answer = useCall(plans.plans, { query: { perPage: 100 } })
  const sold = answer.data?.data.find((one) => one.id === id)?.prices.find((one) => one.billing === billing)
  const price = sold?.price
  const form = useEntityForm<PaidBy, Subscribing, Payment>({
    initialValues: notChosen,
    schema: plans.subscribe.body,
    toBody: () => ({
      ...{ planId: id, billing, payBy: way.payBy, ...way.body },
      ...{ total: price?.total ?? 0, currency: price?.currency ?? '' },
    }),
    save: (body) =>
      once(body, (key) => call(plans.subscribe, { body }, { key })).catch(async (error: unknown) => {
        // The price may have changed, or the card: the next try shows what is true now.
        await refetchCalls(plans.plans, cards.list)
        throw error
      }),
    onSaved: (payment) => {
      void refetchCalls(billingCalls.openPayments, plans.subscriptions)
      if (payment.url) window.location.assign(payment.url)
      else onBegun(payment.id)
    },
  })
  const way = usePayBy(form.fields.getValues(), payBy)
  return (
    <FormDrawer
      title={t('subscribe.title', { plan: name })}
      form={form}
      disabled={!price || !way.isKnown}
      submitLabel={
        price
          ? t(way.payBy === 'transfer' ? 'pay.order' : 'subscribe.pay', {
              money: formatMoney(price.total, price.currency),
            })
          : t('subscribe.payNothing')
      }
      onClose={onClose}
    >
      <Text>
        <b>{name}</b>, {t(`plan.billing.${billing}`)}
      </Text>
      {sold ? <PriceSums price={sold.price} /> : <Text size="sm">{t(`plans.notSoldSo.${billing}`)}</Text>}
      {sold && <PeriodNote period={sold.period} byTransfer={way.payBy === 'transfer'} />}
      <InvoiceTo details={details} onChange={onChangeDetails} />
      <PayByField
        choice={way}
        onChoose={(value) => form.fields.setFieldValue('payBy', value)}
        keepCard={form.fields.getInputProps('keepCard', { type: 'checkbox' })}
        keepCardLabel={t('pay.keepCard')}
        keepCardHelp={t('subscribe.keepCardHelp')}
      />
      <Text size="sm" c="dimmed">
        {t(`subscribe.way.${way.card ? 'card' : way.payBy}`)} {t(`subscribe.next.${billing}`)}
      </Text>
      <Text size="sm" c="dimmed">
        {t('subscribe.devices')}
      </Text>
    </FormDrawer>
  )
}
