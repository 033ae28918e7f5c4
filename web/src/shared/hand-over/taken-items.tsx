import { Fieldset, NumberInput, Text, TextInput } from '@mantine/core'

export interface TakenItem {
  /** As it is typed; empty: nobody says. */
  delivered: number | string
  reason: string
}

interface TakenItemsProps {
  goods: readonly { id: string; name: string; quantity: number }[]
  items: readonly TakenItem[]
  /** The properties of a field of an item, by its name there. */
  propsOf: (field: string) => object
  takenLabel: (quantity: number) => string
  reasonLabel: string
}

/** How many of each item were taken, and why not all. */
export function TakenItems({ goods, items, propsOf, takenLabel, reasonLabel }: TakenItemsProps) {
  return goods.map(({ id, name, quantity }, at) => {
    const delivered = items[at]?.delivered ?? ''
    return (
      <Fieldset key={id} legend={<Text size="sm">{name}</Text>}>
        <NumberInput
          label={takenLabel(quantity)}
          min={0}
          max={quantity}
          allowDecimal={false}
          {...propsOf(`${at}.delivered`)}
        />
        {delivered !== '' && Number(delivered) < quantity && (
          <TextInput mt="xs" label={reasonLabel} maxLength={300} {...propsOf(`${at}.reason`)} />
        )}
      </Fieldset>
    )
  })
}
