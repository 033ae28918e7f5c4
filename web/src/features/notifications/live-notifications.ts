import type { LiveNotification } from '@isotherm/contract/live.ts'
import { notifications } from '@isotherm/contract/notifications.ts'
import type { QueryClient } from '@tanstack/react-query'
import { keyOf, queryClient } from '../../lib/query.ts'
// Ends pushes to this browser with a logout, and when another person logs in.
import '../../lib/push-subscription.ts'
import { playTone } from './tone.ts'

/** The bell's call: how many are unread. */
export const bellSending = { query: { perPage: 1 } }

export function applyNotification(client: QueryClient, { unread, added }: LiveNotification) {
  client.setQueryData(
    keyOf(notifications.list, bellSending),
    (known: object | undefined) => known && { ...known, unread },
  )
  void client.invalidateQueries({
    queryKey: [notifications.list.path],
    predicate: ({ queryKey }) => JSON.stringify(queryKey) !== JSON.stringify(keyOf(notifications.list, bellSending)),
  })
  if (added && added.severity !== 'info' && wantsSound()) playTone(added.severity)
}

const wantsSound = () =>
  (queryClient.getQueryData(keyOf(notifications.settings)) as { sound: boolean } | undefined)?.sound === true
