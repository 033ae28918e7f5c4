import type { Budget } from '@isotherm/contract/record-budget.ts'

/** A budget as fields hold it: hours instead of minutes, empty text for what is not asked. */
export interface BudgetValues {
  aboveC: number | ''
  aboveHours: number | ''
  neverAboveC: number | ''
  belowC: number | ''
  belowHours: number | ''
  neverBelowC: number | ''
}

export const noBudget: BudgetValues = {
  aboveC: '',
  aboveHours: '',
  neverAboveC: '',
  belowC: '',
  belowHours: '',
  neverBelowC: '',
}

const orNull = (value: number | '') => (value === '' ? null : value)
const minutes = (hours: number | '') => (hours === '' ? null : Math.round(hours * 60))

/** The body; undefined where nothing was filled in. */
export function budgetOf(values: BudgetValues): Budget | undefined {
  if (Object.values(values).every((value) => value === '')) return undefined
  return {
    aboveC: orNull(values.aboveC),
    aboveMinutes: minutes(values.aboveHours),
    neverAboveC: orNull(values.neverAboveC),
    belowC: orNull(values.belowC),
    belowMinutes: minutes(values.belowHours),
    neverBelowC: orNull(values.neverBelowC),
  }
}

const orEmpty = (value: number | null) => value ?? ''

/** The fields of a budget that is there; null: none is. */
export const budgetValues = (budget: Budget | null): BudgetValues =>
  budget === null
    ? noBudget
    : {
        ...{ aboveC: orEmpty(budget.aboveC), neverAboveC: orEmpty(budget.neverAboveC) },
        ...{ belowC: orEmpty(budget.belowC), neverBelowC: orEmpty(budget.neverBelowC) },
        aboveHours: budget.aboveMinutes === null ? '' : budget.aboveMinutes / 60,
        belowHours: budget.belowMinutes === null ? '' : budget.belowMinutes / 60,
      }
