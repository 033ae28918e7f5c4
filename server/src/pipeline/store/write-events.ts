import { type EventDraft, writeEvents } from '../../core/events/note-events.ts'
import type { Batch } from '../batch.ts'
import type { ExcursionWrite } from '../evaluate/writes.ts'

/** Excursions that began longer ago are history that was worked out anew: nobody has to act on them. */
const newsMs = 7 * 86_400_000

/** Writes the events of excursions and of answered commands, for companies whose feed is on. Those of alarms are written with their triggers. */
export async function writeEventsOf({ client, excursions, amended, answered, parts, now }: Batch): Promise<void> {
  const changed = [...excursions, ...amended].filter(({ device }) => device.tellsEvents)
  const drafts = changed.flatMap((write) => eventsOf(write, now))
  const answers = answered.length > 0 && parts.some(hasFeed) ? answered : []
  for (const { companyId, deviceId, commandId, kind, ok } of answers)
    drafts.push({
      ...{ companyId, deviceId, type: 'device.command_acknowledged', key: commandId, at: new Date(now) },
      data: { commandId, command: kind, isCarriedOut: ok },
    })
  await writeEvents(client, drafts)
}

const hasFeed = ({ tracker }: Batch['parts'][number]) => tracker.assignments.some(({ device }) => device.tellsEvents)

function eventsOf({ device, id, measure, excursion, change, late }: ExcursionWrite, now: number): EventDraft[] {
  const { side, startAt, endAt, peak } = excursion
  if (change === 'grew' || change === 'removed' || id === '' || startAt < now - newsMs) return []
  const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  const draft = {
    ...{ companyId: device.companyId, deviceId: device.id, at: new Date(now) },
    // By its beginning: late readings that move its end do not tell it again.
    key: `${device.id}:${measure}:${startAt}`,
    data: {
      ...{ excursionId: id, measure, side, startAt: new Date(startAt).toISOString() },
      ...{ peak: peak / 100, isLate: late },
    },
  }
  const started: EventDraft = { ...draft, type: 'excursion.started', data: { ...draft.data, endAt: null } }
  if (endAt === null) return [started]
  return [started, { ...draft, type: 'excursion.ended', data: { ...draft.data, endAt: iso(endAt) } }]
}
