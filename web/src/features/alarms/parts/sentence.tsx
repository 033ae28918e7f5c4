import { Fragment, type ReactNode } from 'react'
import { AmountInput } from '../../../ui/amount-input.tsx'
import type { Amount } from '../alarm-values.ts'
import classes from './form.module.css'

/** "Temperature below {min} or above {max}" with a field at each name in braces, wherever the language puts them. */
export function Sentence({ text, fields }: { text: string; fields: Record<string, ReactNode> }) {
  return (
    <div className={classes.sentence}>
      {text.split(/\{(\w+)\}/).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence keep their order
        <Fragment key={index}>{index % 2 === 1 ? fields[part] : part.trim() && <span>{part.trim()}</span>}</Fragment>
      ))}
    </div>
  )
}

interface AmountFieldProps {
  label: string
  unit: string
  value: Amount
  onChange: (value: Amount) => void
  path: string
  error?: ReactNode
  decimals?: number
  allowNegative?: boolean
}

/** A number inside a sentence; its label is for screen readers. What is wrong is said below the sentence. */
export const AmountField = ({ label, unit, value, onChange, path, error, decimals = 0, ...more }: AmountFieldProps) => (
  <AmountInput
    className={classes.amount}
    size="sm"
    aria-label={`${label} (${unit})`}
    unit={unit}
    decimalScale={decimals}
    allowNegative={more.allowNegative ?? false}
    placeholder="–"
    value={value}
    onChange={onChange}
    error={Boolean(error)}
    data-path={path}
  />
)

/** The errors of some fields of a sentence. */
export function FieldErrors({ errors, paths }: { errors: Record<string, ReactNode>; paths: string[] }) {
  const found = [...new Set(paths.map((path) => errors[path]).filter(Boolean))]
  if (found.length === 0) return null
  return (
    <div role="alert" className={classes.errors}>
      {found.map((error) => (
        <div key={String(error)}>{error}</div>
      ))}
    </div>
  )
}
