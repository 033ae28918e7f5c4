import { alarms } from '@isotherm/contract/alarms.ts'
import { dashboardPath } from '@isotherm/contract/dashboard-path.ts'
import type { QueryClient } from '@tanstack/react-query'
import { onPush } from '../../lib/realtime.ts'

/** The first of a storm is shown at once, the rest at most this often. */
const restMs = 1_000
const gatherMs = 60

let waiting: ReturnType<typeof setTimeout> | undefined
let last = 0

onPush('trigger', (client) => {
  if (waiting) return
  waiting = setTimeout(() => flush(client), Math.max(gatherMs, last + restMs - Date.now()))
})

function flush(client: QueryClient) {
  waiting = undefined
  last = Date.now()
  for (const row of [alarms.triggers, alarms.triggersOf, alarms.trigger, alarms.list, alarms.one])
    void client.invalidateQueries({ queryKey: [row.path] })
  void client.invalidateQueries({ queryKey: [dashboardPath] })
}
