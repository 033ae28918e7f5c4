import type { Tracking } from '@isotherm/contract/order-tracking.ts'
import type { QueryClient } from '@tanstack/react-query'
import { type CallPath, refetchSoon } from '../../lib/live-refetch.ts'

// By its path: the schemas of orders would be loaded with every page.
const path = '/trackDispatch/:id' satisfies CallPath

/** A device of an order that is shown has sent something. */
export function applyReading(client: QueryClient, { deviceId }: { deviceId: string }): void {
  const shown = client.getQueriesData<Tracking>({ queryKey: [path] })
  for (const [, tracking] of shown)
    if (tracking?.devices.some(({ id }) => id === deviceId)) refetchSoon(client, [path], { id: tracking.id })
}
