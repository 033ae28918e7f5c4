import { orderLimits } from '@isotherm/contract/orders.ts'
import { Button, Paper, SimpleGrid, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { addPart } from '../../../ui/form/add-part.ts'
import frames from '../../../ui/frames.module.css'
import { emptyItem, type ReceiverValues } from '../order-values.ts'
import type { OrderFields, PlaceTools } from './form-props.ts'
import { ItemFields } from './item-fields.tsx'
import { PartyFields } from './party-fields.tsx'
import { PlaceTimeField } from './place-time-field.tsx'
import { StopFields } from './stop-fields.tsx'

interface ReceiverCardProps {
  fields: OrderFields
  index: number
  receiver: ReceiverValues
  currency: string | null
  tools: PlaceTools
  /** The zone of its place; null: not known yet. */
  zone: string | null
  /** Undefined: the only one. */
  onRemove: (() => void) | undefined
}

/** A stop: who gets what, where, and when. */
export function ReceiverCard({ fields, index, receiver, currency, tools, zone, onRemove }: ReceiverCardProps) {
  const { t } = useTranslation('orders')
  const path = `receivers.${index}`
  const number = index + 1
  const { items } = receiver
  return (
    <Paper className={frames.panel} component="section" aria-label={t('form.receiver', { number })}>
      <h2>{t('form.receiver', { number })}</h2>
      <div className={frames.stack}>
        <PartyFields fields={fields} path={path} stop={receiver.stop} stopPath={`${path}.stop`} />
        <StopFields
          fields={fields}
          path={`${path}.stop`}
          stop={receiver.stop}
          label={t('form.dropOff')}
          tools={tools}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {(['windowFrom', 'windowBy'] as const).map((name) => (
            <PlaceTimeField
              key={name}
              fields={fields}
              path={`${path}.${name}`}
              value={receiver[name]}
              label={t(name === 'windowFrom' ? 'form.windowFrom' : 'form.windowBy')}
              zone={zone}
            />
          ))}
        </SimpleGrid>
        {items.map((item, at) => (
          <ItemFields
            key={item.key}
            fields={fields}
            path={`${path}.items.${at}`}
            number={at + 1}
            item={item}
            currency={currency}
            onRemove={items.length > 1 ? () => fields.removeListItem(`${path}.items`, at) : undefined}
          />
        ))}
        {fields.errors[`${path}.items`] && (
          <Text size="sm" c="red" role="alert">
            {fields.errors[`${path}.items`]}
          </Text>
        )}
        <Button.Group>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            disabled={items.length >= orderLimits.items}
            onClick={(event) => addPart(event, () => fields.insertListItem(`${path}.items`, emptyItem()))}
          >
            {t('form.addItem')}
          </Button>
          {onRemove && (
            <Button variant="default" onClick={onRemove}>
              {t('form.removeReceiver', { number })}
            </Button>
          )}
        </Button.Group>
      </div>
    </Paper>
  )
}
