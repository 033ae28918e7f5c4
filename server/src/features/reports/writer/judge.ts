import { judgementOf } from '@isotherm/contract/device-limits.ts'
import { type Rules, ruleAt } from '../../../domain/rules.ts'
import type { Judge } from '../../../reporting/readings.ts'

export const judgeBy =
  (rules: Rules): Judge =>
  (measure, value, at) => {
    const rule = ruleAt(rules[measure], at)
    return judgementOf(value, rule.min, rule.max)
  }
