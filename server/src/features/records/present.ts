import type { RecordLocations } from '@isotherm/contract/group-records.ts'
import type {
  RecordAttachment,
  RecordDetails,
  RecordNote,
  RecordSignature,
  TrackRecord,
} from '@isotherm/contract/records.ts'
import type { RecordRow } from '../../core/records/record-queries.ts'
import { showTrackingCode } from '../../domain/tracking-code.ts'
import type { AttachmentRow, NoteRow } from './note-queries.ts'
import type { CountedRecord, EndsRow, HardwareRow, SignatureRow } from './queries.ts'
import type { MemberRow } from './visibility-queries.ts'

/** `last`: the last signature; null where nobody has signed. */
export function presentRecord(row: CountedRecord, last: JudgedSignature | null): TrackRecord {
  const destination = row.destination as { geofenceId: string; name: string } | null
  return {
    id: row.id,
    group: row.group_id === null || row.group_gone ? null : { id: row.group_id, name: row.group_name ?? '' },
    formerGroup: row.group_gone ? row.group_name : null,
    order: row.order_id === null ? null : { id: row.order_id, trackingCode: showTrackingCode(row.order_code ?? '') },
    name: row.name,
    lot: row.lot,
    state: row.state as TrackRecord['state'],
    startAt: row.start_at.toISOString(),
    endAt: row.end_at?.toISOString() ?? null,
    endedBy: row.ended_by as TrackRecord['endedBy'],
    destination: destination && { geofenceId: destination.geofenceId, name: destination.name },
    deviceCount: row.devices,
    excursions: row.excursions,
    hasBudget: row.budget !== null,
    signature: last && {
      meaning: last.row.meaning as RecordSignature['meaning'],
      signerName: last.row.signer_name,
      isVoid: last.changed.length > 0,
    },
    createdBy: row.created_by_name,
    createdAt: row.created_at.toISOString(),
  }
}

/** A signature with the parts of its record that are no longer as they were signed. */
export interface JudgedSignature {
  row: SignatureRow
  changed: RecordSignature['changed']
}

export const presentSignature = ({ row, changed }: JudgedSignature): RecordSignature => ({
  id: row.id,
  meaning: row.meaning as RecordSignature['meaning'],
  reason: row.reason,
  signerName: row.signer_name,
  signerRole: row.signer_role,
  signedAt: row.signed_at.toISOString(),
  contentSha256: row.content_sha256.toString('hex'),
  sha256: row.sha256.toString('hex'),
  previousSha256: row.previous_sha256?.toString('hex') ?? null,
  changed,
})

export function presentDevices(members: readonly MemberRow[], rows: readonly HardwareRow[]): RecordDetails['devices'] {
  const hardware = Map.groupBy(rows, (row) => row.device_id)
  return members.map((member) => ({
    id: String(member.id),
    name: member.name,
    decommissionedAt: member.decommissioned_at?.toISOString() ?? null,
    joinedAt: member.joined_at?.toISOString() ?? null,
    leftAt: member.left_at?.toISOString() ?? null,
    hardware: (hardware.get(member.id) ?? []).map((row) => ({
      imei: row.imei,
      probe: row.probe,
      from: row.valid_from.toISOString(),
      to: row.valid_to?.toISOString() ?? null,
    })),
  }))
}

export function presentLocations(members: readonly MemberRow[], rows: readonly EndsRow[]): RecordLocations {
  const names = new Map(members.map(({ id, name }) => [id, name]))
  return {
    devices: rows.map((row) => ({
      id: String(row.id),
      name: names.get(row.id) ?? '',
      first: { at: row.first_at.toISOString(), lat: row.first_lat / 1e7, lon: row.first_lon / 1e7 },
      last: { at: row.last_at.toISOString(), lat: row.last_lat / 1e7, lon: row.last_lon / 1e7 },
      fixes: row.fixes,
    })),
  }
}

export const presentNote = (row: NoteRow): RecordNote => ({
  id: row.id,
  text: row.text,
  by: row.created_by_name,
  at: row.created_at.toISOString(),
  isAddendum: row.is_addendum,
})

export const presentAttachment = (row: AttachmentRow): RecordAttachment => ({
  id: row.id,
  name: row.name,
  type: row.type as RecordAttachment['type'],
  sizeBytes: row.size_bytes,
  sha256: row.sha256.toString('hex'),
  by: row.created_by_name,
  at: row.created_at.toISOString(),
  isAddendum: row.is_addendum,
})

export const target = ({ id, name }: Pick<RecordRow, 'id' | 'name'>) => ({ kind: 'record', id, name })

export const auditSnapshot = (row: RecordRow) => ({
  name: row.name,
  lot: row.lot,
  state: row.state,
  startAt: row.start_at.toISOString(),
  endAt: row.end_at?.toISOString() ?? null,
  destination: (row.destination as { name?: string } | null)?.name ?? null,
  budget: row.budget,
})
