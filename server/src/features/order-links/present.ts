import type {
  DriverItem,
  HandOver,
  OrderHandOver,
  PageItem,
  ReceiptMail,
  ShownConditions,
} from '@isotherm/contract/order-links.ts'
import { Eta, type ReceiverState } from '@isotherm/contract/orders.ts'
import { verdictOfRow } from '../../core/orders/hand-over.ts'
import type { HandOverRow, PhotoRow } from '../../core/orders/hand-over-queries.ts'
import type { ItemRow, ReceiverRow } from '../../core/orders/order-queries.ts'
import type { ShownMailRow } from './receipt-mail-queries.ts'

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

export const presentHandOver = (row: HandOverRow): HandOver => ({
  outcome: row.outcome as HandOver['outcome'],
  reservation: row.reservation,
  reason: row.reason,
  signerName: row.signer_name,
  signerRole: row.signer_role,
  occurredAt: row.occurred_at.toISOString(),
  recordedAt: row.recorded_at.toISOString(),
  voidAt: iso(row.void_at),
})

interface OfHandOver {
  photos: readonly PhotoRow[]
  mails: readonly ShownMailRow[]
  /** The reader may see all devices that the verdict is of. */
  seesConditions: boolean
}

export function presentOrderHandOver(row: HandOverRow, { photos, mails, seesConditions }: OfHandOver): OrderHandOver {
  const { conditions, wasShown } = verdictOfRow(row)
  return {
    ...presentHandOver(row),
    id: row.id,
    receiverId: row.receiver_id,
    source: row.source as OrderHandOver['source'],
    by: row.by_name,
    position: row.lat === null || row.lon === null ? null : { lat: row.lat, lon: row.lon },
    conditions: seesConditions ? conditions : null,
    wasShown,
    contentSha256: row.content_sha256.toString('hex'),
    readingsAddedAt: iso(row.readings_added_at),
    signatureSha256: row.signature_sha256?.toString('hex') ?? null,
    photos: photos
      .filter(({ handover_id }) => handover_id === row.id)
      .map(({ id, sha256 }) => ({ id, sha256: sha256.toString('hex') })),
    receiptSha256: row.receipt_sha256?.toString('hex') ?? null,
    receiptMails: mails.filter(({ handover_id }) => handover_id === row.id).map(presentMail),
  }
}

const presentMail = (row: ShownMailRow): ReceiptMail => ({
  ...{ to: row.to, cause: row.cause as ReceiptMail['cause'], by: row.asked_by_name },
  ...{ state: row.state as ReceiptMail['state'], at: (row.settled_at ?? row.asked_at).toISOString() },
})

export const presentItem = (row: ItemRow): PageItem => ({
  name: row.name,
  quantity: row.quantity,
  unitCount: row.unit_count,
  deliveredQuantity: row.delivered_quantity,
  refusedReason: row.refused_reason,
})

export const presentDriverItem = (row: ItemRow): DriverItem => ({
  ...presentItem(row),
  weightG: row.weight_g === null ? null : Number(row.weight_g),
  note: row.note,
})

/** The facts of a stop that its receiver and the driver see alike. */
export const presentStop = (row: ReceiverRow) => ({
  state: row.state as ReceiverState,
  windowFrom: iso(row.window_from),
  windowBy: iso(row.window_by),
  timezone: row.zone,
  eta: row.settled_at || row.snoozed_until ? null : Eta.nullable().parse(row.eta),
  postponedUntil: iso(row.snoozed_until),
  postponedReason: row.snooze_reason,
  arrivedAt: iso(row.arrived_at),
  settledAt: iso(row.settled_at),
})

/** Without the chart, which a driver has no use for. */
export const presentShown = ({ conditions, sha256 }: ShownConditions): Omit<ShownConditions, 'chart'> => ({
  ...{ conditions, sha256 },
})
