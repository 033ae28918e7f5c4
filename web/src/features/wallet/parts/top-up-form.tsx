import { cards } from '@isotherm/contract/cards.ts'
import { limits } from '@isotherm/contract/limits.ts'
import { minorDigits } from '@isotherm/contract/money.ts'
import { type Wallet, wallet } from '@isotherm/contract/wallet.ts'
import { NumberInput, Radio, Stack, Switch, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { formatMoney } from '../../../lib/money.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { formatMoment } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { cardName, cardUntil } from '../../../shared/payment/card-text.ts'
import { EntityForm } from '../../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { Panel } from '../../../ui/panel.tsx'
import { StateDot } from '../../../ui/state-dot.tsx'
import { saveWallet } from '../save-wallet.ts'

interface Typed {
  isOn: boolean
  below: string | number
  units: string | number
  cardId: string
  /** As people write money: with decimals. */
  monthlyMax: string | number
}

const numberOf = (typed: string | number) => (typed === '' ? Number.NaN : Number(typed))

/** When a wallet buys units by itself, with which card, and for how much money a month. */
export function TopUpForm({ of, currency }: { of: Wallet; currency: string }) {
  const { t } = useTranslation('wallet')
  // As the form shows it.
  const [seen, setSeen] = useState(of)
  const { kind, topUp } = of
  const readOnly = !useCan('payments.addOrEdit')
  const saved = useCall(cards.list)
  const usable = saved.data?.cards.filter((card) => card.state === 'usable') ?? []
  const scale = 10 ** minorDigits(currency)
  const typedOf = (now: Wallet['topUp']): Typed => ({
    isOn: now !== null,
    below: now?.below ?? 100,
    units: now?.units ?? 1_000,
    cardId: now?.cardId ?? '',
    monthlyMax: now ? now.monthlyMax / scale : '',
  })
  const showNow = (now: Wallet, former?: Wallet) => {
    setSeen(now)
    form.startFrom(typedOf(now.topUp), former && typedOf(former.topUp))
  }
  const form = useEntityForm({
    initialValues: typedOf(topUp),
    schema: wallet.change.body,
    toBody: ({ isOn, below, units, cardId, monthlyMax }) => ({
      topUp: isOn
        ? {
            ...{ below: numberOf(below), units: numberOf(units), cardId: cardId || (usable[0]?.id ?? '') },
            monthlyMax: Math.round(numberOf(monthlyMax) * scale),
          }
        : null,
    }),
    save: (body) => saveWallet(seen, body, (now) => showNow(now, seen)),
    onSaved: (changed) => {
      showNow(changed)
      toastSuccess(t('settings.saved'), limits.walletMessageMs)
      void refetchCalls(wallet.balances, cards.list)
    },
  })
  const { fields } = form
  const { isOn, cardId } = fields.getValues()
  const errorOf = (name: string) => fields.errors[`topUp.${name}`] ?? fields.errors[name]
  const title = t('topUp.title', { kind: t(`kinds.${kind}`) })
  const whole = { min: 1, allowDecimal: false, allowNegative: false, readOnly }
  return (
    <Panel title={title} text={t('topUp.help')}>
      <EntityForm
        form={form}
        submitLabel={t('common:actions.save')}
        disabled={readOnly || (isOn && usable.length === 0)}
        label={title}
      >
        {topUp && !topUp.isCardUsable && <StateDot tone="warning" label={t('topUp.cardGone')} />}
        {topUp?.failed && (
          <StateDot
            tone="warning"
            label={t('topUp.failed', { at: formatMoment(topUp.failed.at), reason: topUp.failed.reason ?? '' })}
          />
        )}
        <Switch label={t('topUp.isOn')} disabled={readOnly} {...fields.getInputProps('isOn', { type: 'checkbox' })} />
        {isOn && saved.data && usable.length === 0 && (
          <Text size="sm">
            {t('topUp.noCards')} <Link to="/subscription/cards">{t('topUp.toCards')}</Link>
          </Text>
        )}
        {isOn && usable.length > 0 && (
          <>
            <NumberInput
              label={t('topUp.below')}
              {...whole}
              {...fields.getInputProps('below')}
              error={errorOf('below')}
            />
            <NumberInput
              label={t('topUp.units')}
              {...whole}
              {...fields.getInputProps('units')}
              error={errorOf('units')}
            />
            <Radio.Group
              label={t('topUp.card')}
              value={cardId || (usable[0]?.id ?? '')}
              onChange={(value) => fields.setFieldValue('cardId', value)}
              error={errorOf('cardId')}
            >
              <Stack gap="sm" mt="xs">
                {usable.map((card) => (
                  <Radio
                    key={card.id}
                    value={card.id}
                    disabled={readOnly}
                    label={cardName(t, card)}
                    description={cardUntil(t, card)}
                  />
                ))}
              </Stack>
            </Radio.Group>
            <NumberInput
              label={t('topUp.monthlyMax', { currency })}
              min={0}
              decimalScale={minorDigits(currency)}
              allowNegative={false}
              readOnly={readOnly}
              {...fields.getInputProps('monthlyMax')}
              error={errorOf('monthlyMax')}
            />
          </>
        )}
        {topUp && (
          <Text size="sm" c="dimmed">
            {topUp.price
              ? t('topUp.price', {
                  money: formatMoney(topUp.price.total, topUp.price.currency),
                  spent: formatMoney(topUp.spentThisMonth, topUp.price.currency),
                })
              : t('topUp.notSold')}
          </Text>
        )}
      </EntityForm>
    </Panel>
  )
}
