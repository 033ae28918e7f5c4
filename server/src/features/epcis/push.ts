import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { exportSettingsOf } from '../../core/shipments/export-settings.ts'
import { insertShipmentEvent } from '../../core/shipments/shipment-queries.ts'
import { type EpcisDocument, withdrawnEvents } from '../../domain/epcis/epcis.ts'
import { faultsOf } from '../../domain/epcis/faults.ts'
import { showShipmentNumber } from '../../domain/shipment-number.ts'
import type { Context } from '../../platform/context.ts'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { type NewFile, openFiles } from '../../platform/files/files.ts'
import { type EpcisSources, gatherDocument } from './gather.ts'
import { deliverPush } from './jobs.ts'
import { insertPush, type PushRow, pushById, pushesOf, renewPush, setDue } from './queries.ts'

/** The address of the company's capture interface. Throws CAPTURE_NOT_SET. */
async function captureUrl(ctx: Context): Promise<string> {
  const url = (await exportSettingsOf(ctx)).captureUrl
  if (!url) throw new AppError('CAPTURE_NOT_SET')
  return url
}

/** A file that was not stored within this time after its row is gone: then its push fails. */
const storeMs = 10 * 60_000

interface Pushed {
  row: PushRow
  /** Stores the document and has it sent, once the transaction has committed; null: it is on its way already. */
  store: (() => Promise<void>) | null
}

/**
 * Puts the document of a shipment on its way to the receiver; what the receiver took before and is no longer true is withdrawn in it. One that is on its
 * way already is answered as it is. Throws NOT_FOUND, CAPTURE_NOT_SET, EPCIS_EMPTY or STORAGE_LOW.
 */
export async function pushDocument(ctx: Context, sources: EpcisSources, shipmentId: string): Promise<Pushed> {
  const { document, shipment } = await gatherDocument(ctx, sources, shipmentId)
  const before = await pushesOf(ctx, shipment.id)
  const underWay = before.find(({ state }) => state === 'waiting' || state === 'sent')
  if (underWay) return { row: underWay, store: null }
  const url = await captureUrl(ctx)
  const now = ctx.clock.now()
  const accepted = before.find((one) => one.state === 'accepted' && one.url === url)
  const known = accepted && (await readDocument(ctx, accepted))
  const withdrawn = known ? withdrawnEvents(known, document, now) : []
  const eventList = [...document.epcisBody.eventList, ...withdrawn]
  const sent: EpcisDocument = { ...document, epcisBody: { eventList } }
  if (eventList.length === 0 || faultsOf(sent).length > 0) throw new AppError('EPCIS_EMPTY')
  await ctx.services.disk.refuseLow()
  const text = JSON.stringify(sent)
  const sha256 = createHash('sha256').update(text).digest()
  const file = await openFiles(ctx.services.config).begin('epcis', 'json')
  const nextAt = new Date(now.getTime() + storeMs)
  const row = await insertPush(ctx, {
    ...{ shipment_id: shipment.id, state: 'waiting', events: eventList.length, file_key: file.key, sha256, url },
    ...{ next_at: nextAt, created_at: now, created_by_name: ctx.person.fullname },
  })
  await insertShipmentEvent(ctx, {
    ...{ shipment_id: shipment.id, kind: 'epcisSent', occurred_at: now, recorded_at: now, occurred_zone: 'UTC' },
    ...{ source: 'person', by_name: ctx.person.fullname, user_id: ctx.person.id },
    detail: JSON.stringify({ events: eventList.length, sha256: sha256.toString('hex') }),
  })
  const name = showShipmentNumber(shipment.number)
  ctx.audit({
    ...{ action: 'epcis.pushed', target: { kind: 'shipment', id: shipment.id, name } },
    after: { events: eventList.length, contentSha256: sha256.toString('hex') },
  })
  return { row: { ...row, next_at: now }, store: () => storeAndSend(ctx, row.id, file, text) }
}

async function storeAndSend({ services, companyId }: Context, pushId: string, file: NewFile, text: string) {
  try {
    await writeFile(file.path, text, { mode: 0o600, flush: true })
    await file.keep()
  } catch (error) {
    await file.discard()
    throw error
  }
  await inTenant(services.pool, companyId, async ({ tx, client }) => {
    await setDue({ tx, companyId }, pushId, services.clock.now())
    await withLogin(tx, () => services.enqueue(client, deliverPush, { companyId, pushId }))
  })
}

/** The document of a push, as it was sent; undefined where its file is gone. */
async function readDocument({ services }: Pick<Context, 'services'>, { file_key }: PushRow) {
  const path = await openFiles(services.config).pathOf(file_key)
  return path === undefined ? undefined : (JSON.parse(await readFile(path, 'utf8')) as EpcisDocument)
}

/** Sends a push again that failed. Throws NOT_FOUND, CAPTURE_NOT_SET, or PUSH_NOT_FAILED. */
export async function retryPush(ctx: Context, id: string): Promise<PushRow> {
  const push = orNotFound(await pushById(ctx, id))
  const renewed = await renewPush(ctx, push.id, { url: await captureUrl(ctx), now: ctx.clock.now() })
  if (!renewed) throw new AppError('PUSH_NOT_FAILED')
  ctx.audit({
    ...{ action: 'epcis.pushedAgain', target: { kind: 'epcisPush', id: push.id, name: push.id } },
    after: { events: push.events, contentSha256: push.sha256.toString('hex') },
  })
  await ctx.enqueue(deliverPush, { companyId: ctx.companyId, pushId: push.id })
  return renewed
}
