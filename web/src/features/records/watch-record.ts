import { groupRecords } from '@isotherm/contract/group-records.ts'
import { records } from '@isotherm/contract/records.ts'
import { useEffect } from 'react'
import { refetchOn } from '../../lib/live-refetch.ts'

/** Which running records are on the screen, by the devices they are of. */
const watched = new Map<string, Set<string>>()

for (const kind of ['reading', 'excursion'] as const)
  refetchOn(kind, (deviceId) =>
    [...(watched.get(deviceId) ?? [])].flatMap((id) => [
      [records.one.path, { id }],
      [records.stats.path, { id }],
      [groupRecords.one.path],
    ]),
  )

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
