import { chosenEvents } from '@isotherm/contract/webhook-events.ts'
import type { ChosenEvent } from '@isotherm/contract/webhooks.ts'

/** The events by what they are of: `alarm`, with all that begin so. */
export const eventGroups: readonly (readonly [group: string, events: readonly ChosenEvent[]])[] = [
  ...Map.groupBy(chosenEvents, (name) => name.split('.')[0] ?? ''),
]
