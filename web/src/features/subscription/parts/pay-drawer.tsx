import { type BillingDetails, billing as billingCalls, type Payment } from '@isotherm/contract/billing.ts'
import { cards } from '@isotherm/contract/cards.ts'
import { plans, type RenewalPayment, type Subscription } from '@isotherm/contract/plans.ts'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { onceBy } from '../../../lib/call-key.ts'
import { formatMoney } from '../../../lib/money.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { InvoiceTo } from '../../../shared/payment/invoice-to.tsx'
import { notChosen, type PaidBy, PayByField, usePayBy } from '../../../shared/payment/pay-by-field.tsx'
import { PriceSums } from '../../../shared/payment/price-sums.tsx'
import { WithDetails } from '../../../shared/payment/with-details.tsx'
import { FormDrawer } from '../../../ui/form/form-drawer.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { PeriodNote } from './period-note.tsx'

interface PayDrawerProps {
  of: Subscription
  onClose: () => void
  /** A payment was begun whose page is not known yet. */
  onBegun: (id: string) => void
}

/** The next period of a plan with its taxes; then off to the provider's page. */
export function PayDrawer(props: PayDrawerProps) {
  const { t } = useTranslation('subscription')
  return (
    <WithDetails title={t('pay.title', { plan: props.of.plan.name })} onClose={props.onClose}>
      {(details, onChange) => <Owed {...props} details={details} onChangeDetails={onChange} />}
    </WithDetails>
  )
}

type OwedProps = PayDrawerProps & { details: BillingDetails; onChangeDetails: () => void }

function Owed({
  of: { id, plan, next, billing, owed, owedPeriod, payBy, zone },
  details,
  onChangeDetails,
  onClose,
  onBegun,
}: OwedProps) {
  const { t } = useTranslation('subscription')
  const once = onceBy(`renewal-${id}`)
  const form = useEntityForm<PaidBy, RenewalPayment, Payment>({
    initialValues: notChosen,
    schema: plans.payRenewal.body,
    toBody: () => ({ total: owed?.total ?? 0, currency: owed?.currency ?? '', payBy: way.payBy, ...way.body }),
    save: (body) =>
      once(body, (key) => call(plans.payRenewal, { params: { id }, body }, { key })).catch(async (error: unknown) => {
        // Somebody else may have paid it, or its price is another one.
        await refetchCalls(plans.subscriptions, cards.list)
        throw error
      }),
    onSaved: (payment) => {
      void refetchCalls(billingCalls.openPayments, plans.subscriptions)
      if (payment.url) window.location.assign(payment.url)
      else onBegun(payment.id)
    },
  })
  const way = usePayBy(form.fields.getValues(), payBy)
  if (!owed) return null
  return (
    <FormDrawer
      title={t('pay.title', { plan: plan.name })}
      form={form}
      disabled={!way.isKnown}
      submitLabel={t(way.payBy === 'transfer' ? 'pay.order' : 'subscribe.pay', {
        money: formatMoney(owed.total, owed.currency),
      })}
      onClose={onClose}
    >
      <Text>
        <b>{next?.plan.name ?? plan.name}</b>, {t(`plan.billing.${next?.billing ?? billing}`)}
      </Text>
      <PriceSums price={owed} />
      {owedPeriod && <PeriodNote period={owedPeriod} zone={zone} byTransfer={way.payBy === 'transfer'} />}
      <InvoiceTo details={details} onChange={onChangeDetails} />
      <PayByField
        choice={way}
        onChoose={(value) => form.fields.setFieldValue('payBy', value)}
        keepCard={form.fields.getInputProps('keepCard', { type: 'checkbox' })}
        keepCardLabel={t('pay.keepCard')}
      />
      <Text size="sm" c="dimmed">
        {t(`subscribe.way.${way.card ? 'card' : way.payBy}`)}
      </Text>
    </FormDrawer>
  )
}
