import type { EventDraft } from '../events/note-events.ts'

export interface EndedRow {
  companyId: number
  id: string
  name: string
  groupId: string | null
  startAt: Date
  endAt: Date
  endedBy: 'hand' | 'time' | 'destination'
  deviceIds: number[]
}

/** A record that has ended, with its devices: `$1` its company, `$2` its id. */
export const endedText = `
select r.company_id as "companyId", r.id, r.name, r.group_id as "groupId", r.start_at as "startAt", r.end_at as "endAt", r.ended_by as "endedBy",
  array(select m.device_id from record_devices m where m.company_id = r.company_id and m.record_id = r.id) as "deviceIds"
from records r where r.company_id = $1 and r.id = $2 and r.state = 'ended' and r.archived_at is null`

/** The event of its end. Of a group's record the group decides who may know of it, of others their devices. A fix that comes late ends it anew. */
export const recordEnded = (row: EndedRow, now: Date): EventDraft => ({
  ...{ companyId: row.companyId, type: 'record.ended', key: `${row.id}:${row.endAt.getTime()}`, at: now },
  ...(row.groupId === null ? { deviceIds: row.deviceIds } : { groupId: row.groupId }),
  data: {
    ...{ recordId: row.id, name: row.name, endedBy: row.endedBy },
    ...{ startAt: row.startAt.toISOString(), endAt: row.endAt.toISOString() },
  },
})
