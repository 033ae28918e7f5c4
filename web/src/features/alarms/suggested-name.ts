import type { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import { useTranslation } from 'react-i18next'
import type { Places } from './parts/form-props.ts'
import { ruleIn } from './rule-words.ts'

const longest = 80

/** The name of an alarm when nobody gives it one: its rule in words. */
export function useSuggestedName({ geofences, points }: Places): (rule: AlarmRule) => string {
  const { t } = useTranslation('alarms')
  return (rule) => {
    if (!isSayable(rule)) return ''
    const named =
      rule.kind === 'fence'
        ? [
            ...geofences.filter(({ id }) => rule.geofenceIds.includes(id)),
            ...points.filter(({ id }) => rule.pointOfInterestIds.includes(id)),
          ].map(({ id, name }) => ({ kind: 'geofence' as const, id, name }))
        : []
    // Thin and no-break spaces are for reading, not for names that people search.
    return ruleIn(rule, named, t).replace(/\s+/g, ' ').slice(0, longest).trim()
  }
}

/** Without these there is no sentence. A form also asks for the name of a rule that has an emptied field (`required-fields.ts`). */
const isSayable = (rule: AlarmRule): boolean =>
  rule.kind === 'noData'
    ? Boolean(rule.afterMinutes)
    : rule.kind === 'fence'
      ? Boolean(rule.direction)
      : !rule.cumulative || Boolean(rule.cumulative.window)
