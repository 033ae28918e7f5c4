import { type BillingCadence, billing as billingCalls } from '@isotherm/contract/billing.ts'
import { cards } from '@isotherm/contract/cards.ts'
import { type ChangeQuote, type Plan, type PlanChange, plans, type Subscription } from '@isotherm/contract/plans.ts'
import { Radio, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { onceBy } from '../../../lib/call-key.ts'
import { formatMoney } from '../../../lib/money.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { formatDate } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { notChosen, type PaidBy, PayByField, usePayBy } from '../../../shared/payment/pay-by-field.tsx'
import { PriceSums } from '../../../shared/payment/price-sums.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { FormDrawer } from '../../../ui/form/form-drawer.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { CadenceSwitch } from './cadence-switch.tsx'
import classes from './plans.module.css'

interface ChangeDrawerProps {
  of: Subscription
  plans: Plan[]
  onClose: () => void
  onBegun: (id: string) => void
}

/** Chooses another plan, with what it costs, when it is in force, and which devices lose their place. */
export function ChangeDrawer({ of, plans: onSale, onClose, onBegun }: ChangeDrawerProps) {
  const { t } = useTranslation('subscription')
  const [billing, setBilling] = useState<BillingCadence>(of.next?.billing ?? of.billing)
  const choices = onSale.filter(({ prices }) => prices.some((price) => price.billing === billing))
  const [planId, setPlanId] = useState(of.next?.plan.id ?? of.plan.id)
  const isSame = planId === (of.next?.plan.id ?? of.plan.id) && billing === (of.next?.billing ?? of.billing)
  const isSold = choices.some(({ id }) => id === planId)
  const answer = useCall(
    plans.quote,
    { params: { id: of.id }, query: { planId, billing } },
    { enabled: !isSame && isSold },
  )
  const quote = isSame || !isSold ? null : (answer.data?.quote ?? null)
  const once = onceBy(`change-${of.id}`)
  const form = useEntityForm<PaidBy, PlanChange, { payment: { id: string; url: string | null } | null }>({
    initialValues: notChosen,
    schema: plans.change.body,
    toBody: () => ({
      ...{ planId, billing, when: quote?.when ?? 'atEnd' },
      ...{ total: quote?.price.total ?? 0, currency: quote?.price.currency ?? '' },
      ...(quote?.when === 'now' ? { payBy: way.payBy, ...way.body } : { payBy: 'page' as const }),
    }),
    save: (body) =>
      once(body, (key) => call(plans.change, { params: { id: of.id }, body }, { key })).catch(
        async (error: unknown) => {
          await refetchCalls(plans.quote, plans.subscriptions, cards.list)
          throw error
        },
      ),
    onSaved: ({ payment }) => {
      void refetchCalls(plans.subscriptions, billingCalls.openPayments)
      if (payment?.url) return window.location.assign(payment.url)
      if (payment) return onBegun(payment.id)
      if (quote) toastSuccess(t('change.done', { date: formatDate(quote.from, of.zone) }))
      onClose()
    },
  })
  const way = usePayBy(form.fields.getValues(), quote?.when === 'now' ? quote.payBy : ['page'])
  return (
    <FormDrawer
      title={t('change.title', { plan: of.plan.name })}
      form={form}
      disabled={!quote || !way.isKnown}
      submitLabel={
        quote?.when === 'now'
          ? t(way.payBy === 'transfer' ? 'pay.order' : 'subscribe.pay', {
              money: formatMoney(quote.price.total, quote.price.currency),
            })
          : t('change.submit')
      }
      onClose={onClose}
    >
      <CadenceSwitch value={billing} onChange={setBilling} />
      <Radio.Group label={t('change.plan')} value={planId} onChange={setPlanId}>
        <Stack gap="sm" mt="xs">
          {choices.map(({ id, name, prices }) => {
            const price = prices.find((one) => one.billing === billing)?.price
            return (
              <Radio
                key={id}
                value={id}
                label={id === of.plan.id && billing === of.billing ? t('change.present', { plan: name }) : name}
                description={price && t('change.net', { money: formatMoney(price.net, price.currency) })}
              />
            )
          })}
        </Stack>
      </Radio.Group>
      {isSame && <Text size="sm">{t(of.next ? 'change.sameNext' : 'change.same')}</Text>}
      {!isSame && isSold && !answer.data && !answer.error && (
        <Skeleton height={90} role="status" aria-label={t('common:list.loading')} />
      )}
      {!isSame && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {!isSame && isSold && answer.data?.quote === null && <Text size="sm">{t('change.notNow')}</Text>}
      {quote && <Quote of={of} quote={quote} byTransfer={way.payBy === 'transfer'} />}
      {quote?.when === 'now' && (
        <PayByField
          choice={way}
          onChoose={(value) => form.fields.setFieldValue('payBy', value)}
          keepCard={form.fields.getInputProps('keepCard', { type: 'checkbox' })}
          keepCardLabel={t('pay.keepCard')}
        />
      )}
    </FormDrawer>
  )
}

function Quote({ of, quote, byTransfer }: { of: Subscription; quote: ChangeQuote; byTransfer: boolean }) {
  const { t } = useTranslation('subscription')
  const { when, whole, unused, price, lapsing } = quote
  const [from, until] = [formatDate(quote.from, of.zone), formatDate(quote.until, of.zone)]
  const stays = quote.plan.id === of.plan.id && quote.billing === of.billing
  return (
    <div aria-live="polite" className={classes.quote}>
      {when === 'now' && unused > 0 && (
        <dl className={classes.parts}>
          <dt>{t('change.whole', { plan: quote.plan.name })}</dt>
          <dd>{formatMoney(whole, price.currency)}</dd>
          <dt>{t('change.unused', { plan: of.plan.name })}</dt>
          <dd>{formatMoney(-unused, price.currency)}</dd>
        </dl>
      )}
      {when === 'now' && <PriceSums price={price} />}
      <Text size="sm" mt="sm">
        {when === 'now'
          ? byTransfer && quote.transferUntil
            ? t('change.byTransfer', { date: formatDate(quote.transferUntil, of.zone) })
            : t('change.now', { until })
          : stays
            ? t('change.stays', { money: formatMoney(price.total, price.currency), from })
            : t('change.atEnd', { from, money: formatMoney(price.total, price.currency) })}
      </Text>
      {lapsing.length > 0 && (
        <Text size="sm" mt="xs" fw={550}>
          {t('change.lapsing', { names: lapsing.map(({ name }) => name).join(', '), count: lapsing.length })}
        </Text>
      )}
    </div>
  )
}
