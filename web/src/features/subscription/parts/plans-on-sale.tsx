import type { BillingCadence } from '@isotherm/contract/billing.ts'
import { modules } from '@isotherm/contract/permissions.ts'
import type { Plan } from '@isotherm/contract/plans.ts'
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoney } from '../../../lib/money.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { formatDate } from '../../../lib/times.ts'
import { Panel } from '../../../ui/panel.tsx'
import { CadenceSwitch } from './cadence-switch.tsx'
import classes from './plans.module.css'

interface PlansOnSaleProps {
  plans: Plan[]
  /** The company has no plan yet. */
  isFirst: boolean
  /** Left out for who may not pay. */
  onChoose?: ((plan: Plan, billing: BillingCadence) => void) | undefined
}

/** The plans on sale beside each other, by the month or by the year, with what they allow. */
export function PlansOnSale({ plans, isFirst, onChoose }: PlansOnSaleProps) {
  const { t } = useTranslation('subscription')
  const [billing, setBilling] = useState<BillingCadence>('monthly')
  const sold = plans.filter(({ prices }) => prices.length > 0)
  const title = t(isFirst ? 'plans.title' : 'plans.more')
  if (sold.length === 0)
    return isFirst ? (
      <Panel title={title}>
        <Text size="sm">{t('plans.none')}</Text>
      </Panel>
    ) : null
  return (
    <Panel title={title} text={t(isFirst ? 'plans.lead' : 'plans.moreLead')}>
      <CadenceSwitch value={billing} onChange={setBilling} />
      <ul className={classes.plans}>
        {sold.map((plan) => (
          <Offer key={plan.id} plan={plan} billing={billing} onChoose={onChoose && (() => onChoose(plan, billing))} />
        ))}
      </ul>
    </Panel>
  )
}

interface OfferProps {
  plan: Plan
  billing: BillingCadence
  onChoose?: (() => void) | undefined
}

function Offer({ plan, billing, onChoose }: OfferProps) {
  const { t } = useTranslation('subscription')
  const found = plan.prices.find((one) => one.billing === billing)
  const without = modules.filter((module) => !plan.modules.includes(module))
  const limits = [
    t('plans.devices', { count: plan.devices, number: formatNumber(plan.devices) }),
    t('plans.users', { count: plan.users, number: formatNumber(plan.users) }),
    t('plans.emails', { count: plan.emails, number: formatNumber(plan.emails) }),
    t('plans.phones', { count: plan.phones, number: formatNumber(plan.phones) }),
    t('plans.kept', { count: plan.retentionMonths, number: formatNumber(plan.retentionMonths) }),
    ...(without.length > 0
      ? [t('plans.without', { modules: without.map((module) => t(`support:categories.${module}`)).join(', ') })]
      : []),
  ]
  return (
    <li className={classes.plan}>
      <h3>{plan.name}</h3>
      {found ? (
        <>
          <span className={classes.price}>{formatMoney(found.price.total, found.price.currency)}</span>
          <span className={classes.note}>
            {t(`plans.each.${billing}`)}
            {found.price.taxes.length > 0 &&
              ` · ${t('plans.withTax', {
                net: formatMoney(found.price.net, found.price.currency),
                taxes: found.price.taxes.map(({ name }) => name).join(', '),
              })}`}
          </span>
          {found.validTo && (
            <span className={classes.note}>{t('plans.validTo', { date: formatDate(found.validTo) })}</span>
          )}
        </>
      ) : (
        <span className={classes.note}>{t(`plans.notSoldSo.${billing}`)}</span>
      )}
      <ul className={classes.limits}>
        {limits.map((limit) => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
      {found && onChoose && (
        <Button fullWidth variant="light" onClick={onChoose} aria-label={t('plans.chooseOne', { plan: plan.name })}>
          {t('plans.choose')}
        </Button>
      )}
    </li>
  )
}
