import { Tooltip } from '@mantine/core'
import { formatNumber, noValue, thinSpace } from '../lib/numbers.ts'
import type { Tone } from './state-dot.tsx'
import classes from './value.module.css'

interface ValueProps {
  value: number | null | undefined
  unit: string
  decimals?: number
  /** Said on hover, focus and to screen readers when there is no value. */
  reason?: string
  size?: 'sm' | 'md' | 'lg' | 'xl'
  tone?: Tone
}

/** A number with its unit, tabular; without a number an en dash that says why. */
export function Value({ value, unit, decimals, reason, size = 'sm', tone }: ValueProps) {
  if (value === null || value === undefined) return <NoValue reason={reason} size={size} />
  return (
    <span className={classes.value} data-size={size} data-tone={tone}>
      {formatNumber(value, decimals)}
      <span className={classes.unit}>
        {thinSpace}
        {unit}
      </span>
    </span>
  )
}

function NoValue({ reason, size }: { reason?: string; size: string }) {
  const dash = (
    <span className={classes.value} data-size={size} data-missing>
      <span aria-hidden={Boolean(reason)}>{noValue}</span>
      {reason && <span className="visually-hidden">{reason}</span>}
    </span>
  )
  return reason ? <Tooltip label={reason}>{dash}</Tooltip> : dash
}
