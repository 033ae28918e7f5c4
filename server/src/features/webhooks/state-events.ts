import type { EventDraft } from '../../core/events/note-events.ts'
import type { StateRow } from './state-queries.ts'

/** The events of devices that stand otherwise than before. The first look at a device tells nothing. */
export const stateEvents = (rows: readonly StateRow[], now: Date): EventDraft[] =>
  rows.flatMap((row): EventDraft[] => {
    const { companyId, deviceId, state, before, lastReadingAt, licenceUntil } = row
    const draft = { companyId, deviceId, key: `${deviceId}:${now.getTime()}`, at: now }
    const heard = { lastReadingAt: lastReadingAt?.toISOString() ?? null }
    if (before === null) return []
    if (state === 'expired' && licenceUntil)
      return [{ ...draft, type: 'device.expired', data: { licenceUntil: licenceUntil.toISOString() } }]
    if (state === 'offline' && before === 'online') return [{ ...draft, type: 'device.offline', data: heard }]
    return state === 'online' && before === 'offline' ? [{ ...draft, type: 'device.online', data: heard }] : []
  })
