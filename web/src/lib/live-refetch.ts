import type { QueryClient } from '@tanstack/react-query'
import { onPush } from './realtime.ts'

/** A fleet of thousands pushes faster than a screen needs: answers are fetched again at most this often. */
const refetchMs = 3_000

/** Keys as JSON, so that the same one counts once. */
let stale = new Set<string>()
let waiting: ReturnType<typeof setTimeout> | undefined

/** Marks the answers whose keys begin so as out of date, soon after a push of this kind about a device. */
export function refetchOn(
  kind: 'reading' | 'excursion' | 'trigger',
  keysOf: (deviceId: string) => readonly unknown[][],
): void {
  onPush(kind, (client, { deviceId }) => {
    for (const key of keysOf(deviceId)) stale.add(JSON.stringify(key))
    if (!waiting) waiting = setTimeout(() => flush(client), refetchMs)
  })
}

function flush(client: QueryClient) {
  const due = stale
  stale = new Set()
  waiting = undefined
  for (const key of due) void client.invalidateQueries({ queryKey: JSON.parse(key) as unknown[] })
}
