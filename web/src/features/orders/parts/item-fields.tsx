import { minorDigits } from '@isotherm/contract/money.ts'
import { ActionIcon, Group, NumberInput, Paper, SimpleGrid, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { DescriptionField } from '../../../ui/words-left.tsx'
import type { ItemValues } from '../order-values.ts'
import type { OrderFields } from './form-props.ts'

interface ItemFieldsProps {
  fields: OrderFields
  /** "receivers.0.items.1". */
  path: string
  number: number
  item: ItemValues
  currency: string | null
  /** Undefined: the only one. */
  onRemove: (() => void) | undefined
}

export function ItemFields({ fields, path, number, item, currency, onRemove }: ItemFieldsProps) {
  const { t } = useTranslation('orders')
  const of = (name: keyof ItemValues) => fields.getInputProps(`${path}.${name}`)
  return (
    <Paper withBorder p="sm" role="group" aria-label={t('form.item', { number })}>
      <Group align="flex-end" wrap="nowrap" mb="xs">
        <TextInput style={{ flex: 1 }} label={t('form.itemName')} {...of('name')} />
        {onRemove && (
          <ActionIcon variant="subtle" size="lg" aria-label={t('form.removeItem', { number })} onClick={onRemove}>
            <IconTrash size={18} />
          </ActionIcon>
        )}
      </Group>
      <SimpleGrid cols={{ base: 2, sm: 4 }} mb="xs">
        <NumberInput label={t('form.quantity')} min={1} allowDecimal={false} {...of('quantity')} />
        <NumberInput label={t('form.unitCount')} min={1} allowDecimal={false} {...of('unitCount')} />
        <NumberInput label={t('form.weight')} min={0} decimalScale={3} {...of('weightG')} />
        <NumberInput
          label={currency ? t('form.worthIn', { currency }) : t('form.worth')}
          min={0}
          decimalScale={currency ? minorDigits(currency) : 2}
          {...of('worth')}
        />
      </SimpleGrid>
      <DescriptionField label={t('form.note')} minRows={1} {...of('note')} value={item.note} />
    </Paper>
  )
}
