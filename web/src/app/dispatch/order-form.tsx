import { minorDigits } from '@isotherm/contract/money.ts'
import { NewOrder, OrderChange } from '@isotherm/contract/new-order.ts'
import { orders } from '@isotherm/contract/order-calls.ts'
import { type OrderDetails, orderLimits } from '@isotherm/contract/orders.ts'
import { Alert, Button, NumberInput, SimpleGrid, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showOrder } from '../../features/order-life/refetch-order.ts'
import { forgetDraft, keepDraft } from '../../features/orders/order-draft.ts'
import {
  bodyOf,
  deliveryClock,
  emptyOrder,
  emptyReceiver,
  type OrderValues,
  worthOf,
} from '../../features/orders/order-values.ts'
import { CarrierFields } from '../../features/orders/parts/carrier-fields.tsx'
import type { PlaceTools } from '../../features/orders/parts/form-props.ts'
import { InsuranceField } from '../../features/orders/parts/insurance-field.tsx'
import { PartyFields } from '../../features/orders/parts/party-fields.tsx'
import { PlaceTimeField } from '../../features/orders/parts/place-time-field.tsx'
import { PricePanel, PriceTotal, WarningList } from '../../features/orders/parts/price-panel.tsx'
import { ReceiverCard } from '../../features/orders/parts/receiver-card.tsx'
import { StopFields } from '../../features/orders/parts/stop-fields.tsx'
import { useCheckedOrder } from '../../features/orders/use-checked-order.ts'
import { call } from '../../lib/call.ts'
import { toastSuccess } from '../../lib/toast.ts'
import { PlaceSearch } from '../../shared/places/place-search.tsx'
import { addPart } from '../../ui/form/add-part.ts'
import { EntityForm } from '../../ui/form/entity-form.tsx'
import { useEntityForm } from '../../ui/form/use-entity-form.ts'
import { Panel } from '../../ui/panel.tsx'
import { Renewing } from '../../ui/renewing.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { DescriptionField } from '../../ui/words-left.tsx'
import classes from './dispatch.module.css'
import { StopsMap } from './stops-map.tsx'

interface OrderFormProps {
  start: OrderValues
  currency: string | null
  /** The order that changes; null: a new one. */
  order: OrderDetails | null
  isDraft: boolean
  /** The currency of amounts that the order is made without. */
  leftOut: string | null
  onSaved: (order: OrderDetails) => void
  onStartAfresh: () => void
}

/** An order to be made or changed; beside it the map, the price and what to look at. */
export function OrderForm({ start, currency, order, isDraft, leftOut, onSaved, onStartAfresh }: OrderFormProps) {
  const { t } = useTranslation('orders')
  const isPhone = usePhone()
  const money = currency ?? 'USD'
  const [pinning, setPinning] = useState<string | null>(null)
  // Sent again after a refusal or a lost answer, it is one order all the same.
  const key = useRef(`order-${Date.now()}-${Math.random().toString(36).slice(2)}`)
  const form = useEntityForm({
    initialValues: start,
    schema: NewOrder,
    toBody: (values) => bodyOf(values, currency),
    save: (body, values) => (order ? change(order, body, values) : call(orders.add, { body }, { key: key.current })),
    onSaved: (saved) => {
      forgetDraft()
      toastSuccess(t(order ? 'form.changed' : 'form.created', { code: saved.trackingCode }))
      showOrder(saved)
      onSaved(saved)
    },
  })
  const { fields } = form
  const values = fields.getValues()
  useKeptDraft(values, order === null && form.isUnsaved())
  const body = bodyOf(values, currency)
  const text = JSON.stringify(body)
  // The same key with another order would be refused.
  const sent = useRef(text)
  if (sent.current !== text) {
    sent.current = text
    key.current = `order-${Date.now()}-${Math.random().toString(36).slice(2)}`
  }
  const checked = useCheckedOrder(body, order?.id)
  const tools: PlaceTools = {
    search: (onFound) => <PlaceSearch onFound={onFound} />,
    pinning,
    pin: setPinning,
  }
  const pin = ({ lat, lon }: { lat: number; lon: number }) => {
    if (pinning === null) return
    fields.setFieldValue(`${pinning}.lat`, lat)
    fields.setFieldValue(`${pinning}.lon`, lon)
    fields.setFieldValue(`${pinning}.timezone`, undefined)
    fields.setFieldValue(`${pinning}.country`, undefined)
    setPinning(null)
  }
  const lastStop = values.receivers.at(-1)?.stop ?? null
  const refused = checked.isAsked && checked.error ? checked.error.message : null
  return (
    <div className={classes.split}>
      <EntityForm form={form} submitLabel={t(order ? 'form.save' : 'form.create')} label={t('add')} wide>
        {isDraft && (
          <Alert variant="light" color="gray">
            {t('form.draft')}{' '}
            <Button size="compact-sm" variant="subtle" onClick={onStartAfresh}>
              {t('form.discard')}
            </Button>
          </Alert>
        )}
        {leftOut && currency && (
          <Alert variant="light" color="yellow">
            {t('form.amountsLeftOut', { before: leftOut, now: currency })}
          </Alert>
        )}
        <Panel title={t('form.sender')}>
          <PartyFields fields={fields} path="sender" stop={values.pickup} stopPath="pickup" />
          <StopFields fields={fields} path="pickup" stop={values.pickup} label={t('form.pickup')} tools={tools} />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <PlaceTimeField
              fields={fields}
              path="pickupAt"
              value={values.pickupAt}
              label={t('form.pickupAt')}
              zone={checked.zoneOf(values.pickup)}
            />
            <PlaceTimeField
              fields={fields}
              path="deliverBy"
              value={values.deliverBy}
              label={t('form.deliverBy')}
              zone={lastStop && checked.zoneOf(lastStop)}
              placeText={t('form.lastStopTime')}
              clockIfNone={deliveryClock}
            />
          </SimpleGrid>
        </Panel>
        {values.receivers.map((receiver, index) => (
          <ReceiverCard
            key={receiver.key}
            fields={fields}
            index={index}
            receiver={receiver}
            currency={currency}
            tools={tools}
            zone={checked.zoneOf(receiver.stop)}
            onRemove={values.receivers.length > 1 ? () => fields.removeListItem('receivers', index) : undefined}
          />
        ))}
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          disabled={values.receivers.length >= orderLimits.receivers}
          onClick={(event) => addPart(event, () => fields.insertListItem('receivers', emptyReceiver()))}
        >
          {t('form.addReceiver')}
        </Button>
        <Panel title={t('form.carrier')}>
          <CarrierFields fields={fields} values={values} order={order} />
        </Panel>
        <Panel title={t('form.more')}>
          <InsuranceField
            fields={fields}
            worth={worthOf(values, money)}
            currency={currency}
            insured={order?.insuranceDetails ?? null}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'end' }}>
            <NumberInput
              label={t('form.fee')}
              description={t('form.feeHelp')}
              min={0}
              decimalScale={minorDigits(money)}
              {...fields.getInputProps('deliveryFee')}
            />
            <TextInput label={t('form.reference')} maxLength={80} {...fields.getInputProps('reference')} />
          </SimpleGrid>
          <DescriptionField label={t('form.note')} {...fields.getInputProps('note')} value={values.note} />
        </Panel>
        {refused && (
          <Alert
            color="yellow"
            variant="light"
            title={t('refused')}
            styles={{ title: { color: 'var(--mantine-color-text)' } }}
          >
            {checked.error?.messages?.join(' ') || refused}
          </Alert>
        )}
        <WarningList warnings={checked.data?.warnings ?? []} />
      </EntityForm>
      <aside className={classes.aside}>
        <StopsMap values={values} height={isPhone ? 280 : 360} isPinning={pinning !== null} onPin={pin} />
        <Renewing isOld={checked.isPlaceholderData}>
          <PricePanel checked={checked.isAsked ? checked.data : undefined} />
        </Renewing>
      </aside>
      {checked.isAsked && checked.data?.price && (
        <div className={classes.total}>
          <PriceTotal price={checked.data.price} />
        </div>
      )}
    </div>
  )
}

const change = (order: OrderDetails, body: ReturnType<typeof bodyOf>, values: OrderValues) =>
  call(orders.change, {
    params: { id: order.id },
    body: OrderChange.parse({
      ...body,
      receivers: body.receivers.map((receiver, index) => ({ ...receiver, id: values.receivers[index]?.id })),
      version: order.version,
    }),
  })

const draftRestMs = 500

/** Keeps the entries of a new order, so that a reload loses nothing. */
function useKeptDraft(values: OrderValues, isWanted: boolean) {
  const text = JSON.stringify(values)
  useEffect(() => {
    if (!isWanted || text === JSON.stringify(emptyOrder())) return
    const timer = setTimeout(() => keepDraft(JSON.parse(text) as OrderValues), draftRestMs)
    return () => clearTimeout(timer)
  }, [text, isWanted])
}
