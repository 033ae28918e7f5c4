import { z } from 'zod'
import { Instant } from './common.ts'

const Celsius = z.number().min(-200).max(200)
const Minutes = z
  .number()
  .int()
  .min(1)
  .max(60 * 24 * 366)

/**
 * The tolerance of goods: so many minutes in all above one temperature, and never above another; below likewise. Time counts
 * while any device of the record, or of earlier records of its lot, measured so; twice at once counts once.
 */
export const Budget = z
  .strictObject({
    aboveC: Celsius.nullable().default(null),
    aboveMinutes: Minutes.nullable().default(null),
    belowC: Celsius.nullable().default(null),
    belowMinutes: Minutes.nullable().default(null),
    neverAboveC: Celsius.nullable().default(null),
    neverBelowC: Celsius.nullable().default(null),
  })
  .refine((b) => [b.aboveC, b.belowC, b.neverAboveC, b.neverBelowC].some((value) => value !== null), {
    message: 'budgetEmpty',
    path: ['aboveC'],
  })
  .refine((b) => (b.aboveC === null) === (b.aboveMinutes === null), { message: 'budgetPair', path: ['aboveMinutes'] })
  .refine((b) => (b.belowC === null) === (b.belowMinutes === null), { message: 'budgetPair', path: ['belowMinutes'] })
  .refine((b) => b.aboveC === null || b.belowC === null || b.belowC <= b.aboveC, {
    message: 'budgetCrossed',
    path: ['belowC'],
  })
  .refine((b) => b.aboveC === null || b.neverAboveC === null || b.aboveC < b.neverAboveC, {
    message: 'budgetCrossed',
    path: ['neverAboveC'],
  })
  .refine((b) => b.belowC === null || b.neverBelowC === null || b.neverBelowC < b.belowC, {
    message: 'budgetCrossed',
    path: ['neverBelowC'],
  })
  .refine((b) => b.neverAboveC === null || b.neverBelowC === null || b.neverBelowC < b.neverAboveC, {
    message: 'budgetCrossed',
    path: ['neverBelowC'],
  })
export type Budget = z.infer<typeof Budget>

const Allowance = z.object({
  limitC: z.number(),
  allowedMs: z.number(),
  /** In all, over earlier records of the lot and this one. */
  usedMs: z.number(),
  /** The share of it within this record's own window. */
  usedHereMs: z.number(),
  /** Never below 0. */
  leftMs: z.number(),
  /** When nothing was left any more. */
  exhaustedAt: Instant.nullable(),
})
const Bound = z.object({ limitC: z.number(), brokenAt: Instant.nullable(), worstC: z.number().nullable() })

/** `low`: less than a quarter of an allowance is left; `spent`: an allowance is used up, or a bound was broken. */
export const BudgetState = z.object({
  state: z.enum(['ok', 'low', 'spent']),
  asOf: Instant,
  /** Earlier records of the lot whose time counts. */
  earlierRecords: z.number().int(),
  above: Allowance.nullable(),
  below: Allowance.nullable(),
  neverAbove: Bound.nullable(),
  neverBelow: Bound.nullable(),
})
export type BudgetState = z.infer<typeof BudgetState>
