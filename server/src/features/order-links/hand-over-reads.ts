import type { OrderHandOver } from '@isotherm/contract/order-links.ts'
import { verdictOfRow } from '../../core/orders/hand-over.ts'
import {
  findHandOver,
  findPhoto,
  type HandOverRow,
  handOversOf,
  lastHandOver,
  photosOf,
} from '../../core/orders/hand-over-queries.ts'
import { findOrder, findReceiver, type ReceiverRow } from '../../core/orders/order-queries.ts'
import type { Context, ViewerTx } from '../../platform/context.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { storedFile } from '../../platform/http/stored-file.ts'
import { presentOrderHandOver } from './present.ts'
import { seenAmong } from './queries.ts'
import { receiptMailsOf } from './receipt-mail-queries.ts'

/** The hand-overs of an order. Conditions of devices that the person may not see are left out. */
export async function shownHandOvers(ctx: Context, orderId: string): Promise<OrderHandOver[]> {
  const { id } = await findOrder(ctx, orderId)
  const rows = await handOversOf(ctx, id)
  const photos = await photosOf(
    ctx,
    rows.map((row) => row.id),
  )
  const seen = await seenAmong(
    ctx,
    rows.flatMap((row) => verdictOfRow(row).devices),
  )
  const mails = await receiptMailsOf(
    ctx,
    rows.map((row) => row.id),
  )
  return rows.map((row) => presentOrderHandOver(row, { photos, mails, seesConditions: seesAll(row, seen) }))
}

const seesAll = (row: HandOverRow, seen: ReadonlySet<number>) => verdictOfRow(row).devices.every((id) => seen.has(id))

/** Whether a person may see all devices of which a hand-over, and so its receipt, tells. */
export const seesVerdict = async (ctx: ViewerTx, row: HandOverRow) =>
  seesAll(row, await seenAmong(ctx, verdictOfRow(row).devices))

/** The hand-over whose receipt can be mailed to a person: the last one, not void. Throws NOT_FOUND, or RECEIVER_OPEN before any. */
export async function standingHandOver(ctx: ViewerTx, receiver: ReceiverRow): Promise<HandOverRow> {
  const row = await lastHandOver(ctx, receiver.id)
  if (!row) throw new AppError('RECEIVER_OPEN', { name: receiver.name })
  if (row.void_at || !(await seesVerdict(ctx, row))) throw new AppError('NOT_FOUND')
  return row
}

const contentTypes: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' }

/** Throws NOT_FOUND. */
export async function photoFile(ctx: Context, id: string) {
  const photo = orNotFound(await findPhoto(ctx, id))
  const filename = `handover-photo-${photo.id}.${photo.type}`
  return storedFile(ctx.services.config, photo.file_key, { filename, contentType: contentTypes[photo.type] })
}

/** Throws NOT_FOUND. */
export async function signatureFile(ctx: Context, id: string) {
  const { signature_key: key } = orNotFound(await findHandOver(ctx, id))
  return storedFile(ctx.services.config, key, { filename: `signature-${id}.png` })
}

/** The receipt of the last hand-over to a receiver, which tells of its conditions. Throws NOT_FOUND, or RECEIVER_OPEN before it. */
export async function receiptFile(ctx: Context, orderId: string, receiverId: string) {
  const receiver = await findReceiver(ctx, (await findOrder(ctx, orderId)).id, receiverId)
  const row = await lastHandOver(ctx, receiver.id)
  if (!row) throw new AppError('RECEIVER_OPEN', { name: receiver.name })
  const key = (await seesVerdict(ctx, row)) ? row.receipt_key : null
  return storedFile(ctx.services.config, key, { filename: `receipt-${orderId}-${receiver.sequence}.pdf` })
}
