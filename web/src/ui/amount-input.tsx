import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'
import { thinSpace } from '../lib/numbers.ts'

type Amount = number | ''

/** The number that a text is so far; a sign alone, and a mark alone, are none. */
const amountOf = (text: number | string): Amount => {
  const amount = text === '' ? Number.NaN : Number(text)
  // Nothing is colder than zero at "-0".
  return Number.isNaN(amount) ? '' : amount + 0
}

interface AmountInputProps extends Omit<NumberInputProps, 'value' | 'defaultValue' | 'onChange' | 'suffix'> {
  unit: string
  value: Amount
  onChange: (value: Amount) => void
}

/** A field that hands on numbers, and empty text for none. It shows what is typed: "-" and "-0." are begun numbers. */
export function AmountInput({ unit, value, onChange, onBlur, ...props }: AmountInputProps) {
  const [typed, setTyped] = useState<{ text: number | string; amount: Amount }>()
  return (
    <NumberInput
      suffix={`${thinSpace}${unit}`}
      clampBehavior="none"
      hideControls
      {...props}
      value={typed?.amount === value ? typed.text : value}
      onChange={(text) => {
        const amount = amountOf(text)
        setTyped({ text, amount })
        onChange(amount)
      }}
      onBlur={(event) => {
        setTyped(undefined)
        onBlur?.(event)
      }}
    />
  )
}
