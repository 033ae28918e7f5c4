import { type BillingDetails, billing, type Payment } from '@isotherm/contract/billing.ts'
import { cards } from '@isotherm/contract/cards.ts'
import type { WalletKind } from '@isotherm/contract/units.ts'
import { maxUnitsBought, type UnitPurchase, wallet } from '@isotherm/contract/wallet.ts'
import { Button, NumberInput, Radio, Skeleton, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { onceBy } from '../../../lib/call-key.ts'
import { formatMoney } from '../../../lib/money.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { InvoiceTo } from '../../../shared/payment/invoice-to.tsx'
import { notChosen, PayByField, usePayBy } from '../../../shared/payment/pay-by-field.tsx'
import { PriceSums } from '../../../shared/payment/price-sums.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { FormDrawer } from '../../../ui/form/form-drawer.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { anyNumber, type Chosen, choiceOf, useChosenPrice } from '../use-chosen-price.ts'

interface UnitsDrawerProps {
  kind: WalletKind
  details: BillingDetails
  onChangeDetails: () => void
  onClose: () => void
  onBegun: (id: string) => void
}

/** Chooses a bundle or any number, with the price and its taxes; then off to the provider's page, or to the bank's details. */
export function UnitsDrawer({ kind, details, onChangeDetails, onClose, onBegun }: UnitsDrawerProps) {
  const { t } = useTranslation('wallet')
  const offers = useCall(wallet.bundles, { query: { kind } })
  const once = onceBy('units')
  const form = useEntityForm<Chosen, UnitPurchase, Payment>({
    initialValues: { choice: '', units: '', ...notChosen },
    schema: wallet.buy.body,
    toBody: () => shown(),
    save: (body, chosen) =>
      once(body, (key) =>
        call(choiceOf(chosen, offers.data) === anyNumber ? wallet.buyAny : wallet.buy, { body }, { key }),
      ).catch(async (error: unknown) => {
        // The price may have changed, or the card: the next try shows what is true now.
        await refetchCalls(wallet.bundles, wallet.price, cards.list)
        throw error
      }),
    onSaved: ({ id, url }) => {
      void refetchCalls(billing.openPayments, wallet.balances)
      if (url) window.location.assign(url)
      else onBegun(id)
    },
  })
  const { getInputProps, setFieldValue } = form.fields
  const chosen = form.fields.getValues()
  const choice = choiceOf(chosen, offers.data)
  const { units, price, cheaper } = useChosenPrice(kind, chosen, offers.data)
  const way = usePayBy(chosen, offers.data?.payBy ?? [])
  const { card, payBy } = way
  const shown = (): UnitPurchase => ({
    ...{ kind, units, payBy, total: price?.total ?? 0, currency: price?.currency ?? '' },
    ...way.body,
  })
  const money = price ? formatMoney(price.total, price.currency) : ''
  const pay = payBy === 'transfer' ? t('buy.order', { money }) : t('buy.pay', { money })

  return (
    <FormDrawer
      title={t(`buy.title.${kind}`)}
      form={form}
      disabled={!price || !way.isKnown}
      submitLabel={price ? pay : t('buy.payNothing')}
      onClose={onClose}
    >
      {!offers.data && !offers.error && <Skeleton height={180} role="status" aria-label={t('common:list.loading')} />}
      {!offers.data && offers.error && <Failure error={offers.error} onRetry={() => void offers.refetch()} />}
      {offers.data?.isSold === false && <Text>{t('buy.notSold')}</Text>}
      {offers.data?.isSold && (
        <>
          <Radio.Group label={t('buy.units')} value={choice} onChange={(value) => setFieldValue('choice', value)}>
            <Stack gap="sm" mt="xs">
              {offers.data.bundles.map(({ units: count, price: { net, currency } }) => (
                <Radio
                  key={count}
                  value={String(count)}
                  label={t('buy.bundle', { count, number: formatNumber(count) })}
                  description={t('buy.net', { money: formatMoney(net, currency) })}
                />
              ))}
              {offers.data.sellsAny && <Radio value={anyNumber} label={t('buy.any')} />}
            </Stack>
          </Radio.Group>
          {choice === anyNumber && (
            <NumberInput
              label={t('buy.number')}
              min={1}
              max={maxUnitsBought}
              allowDecimal={false}
              allowNegative={false}
              inputMode="numeric"
              {...getInputProps('units')}
            />
          )}
          {cheaper && (
            <Button
              variant="light"
              onClick={() => setFieldValue('choice', String(cheaper.units))}
              styles={{ label: { whiteSpace: 'normal', lineHeight: 1.35 }, root: { height: 'auto', paddingBlock: 8 } }}
            >
              {t('buy.cheaper', {
                units: formatNumber(cheaper.units),
                money: formatMoney(cheaper.price.total, cheaper.price.currency),
              })}
            </Button>
          )}
          {price && <PriceSums price={price} />}
          <PayByField
            choice={way}
            onChoose={(value) => setFieldValue('payBy', value)}
            keepCard={getInputProps('keepCard', { type: 'checkbox' })}
            keepCardLabel={t('buy.keepCard')}
          />
          <InvoiceTo details={details} onChange={onChangeDetails} />
          <Text size="sm" c="dimmed">
            {card ? t('buy.nextCard') : payBy === 'transfer' ? t('buy.nextTransfer') : t('buy.next')}
          </Text>
        </>
      )}
    </FormDrawer>
  )
}
