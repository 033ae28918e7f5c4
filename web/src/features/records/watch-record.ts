import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { refetchSoon } from '../../lib/live-refetch.ts'

/** Which running records are on the screen, by the devices they are of. */
const watched = new Map<string, Set<string>>()

/** After a push about a device of theirs. */
export function refetchWatchedRecords(client: QueryClient, { deviceId }: { deviceId: string }) {
  for (const id of watched.get(deviceId) ?? []) {
    refetchSoon(client, ['/enterprise/record/:id', '/enterprise/record/:id/stats'], { id })
    refetchSoon(client, ['/gammagrouprecord/:id/:recordId'])
  }
}

/** Keeps a record on the screen up to date with what its devices measure; one that is over changes rarely. */
export function useWatchedRecord(id: string, deviceIds: readonly string[], isRunning: boolean) {
  const devices = isRunning ? deviceIds.join(' ') : ''
  useEffect(() => {
    const ids = devices.split(' ').filter(Boolean)
    for (const device of ids) {
      const known = watched.get(device) ?? new Set()
      watched.set(device, known.add(id))
    }
    return () => {
      for (const device of ids) watched.get(device)?.delete(id)
    }
  }, [id, devices])
}
