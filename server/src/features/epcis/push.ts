import { readFile } from 'node:fs/promises'
import { exportSettingsOf } from '../../core/shipments/export-settings.ts'
import { insertShipmentEvent, lockShipment, type ShipmentRow } from '../../core/shipments/shipment-queries.ts'
import type { EpcisDocument } from '../../domain/epcis/epcis.ts'
import type { EpcisEvent } from '../../domain/epcis/events.ts'
import { faultsOf } from '../../domain/epcis/faults.ts'
import { briefOf, type HeldEvent, heldEvents, withdrawnEvents } from '../../domain/epcis/withdrawn.ts'
import { showShipmentNumber } from '../../domain/shipment-number.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Context } from '../../platform/context.ts'
import { inTenant, withLogin } from '../../platform/db/transaction.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { openFiles } from '../../platform/files/files.ts'
import { withBytes } from '../../platform/files/uploads.ts'
import type { KeepAnswer } from '../../platform/http/after-commit.ts'
import { type EpcisSources, gatherDocument } from './gather.ts'
import { deliverPush } from './jobs.ts'
import { partsOf } from './push-parts.ts'
import { heldPushes, insertPush, type PushRow, pushById, pushesOf, renewPush, toldBy } from './queries.ts'

/** The address of the company's capture interface. Throws CAPTURE_NOT_SET. */
async function captureUrl(ctx: Context): Promise<string> {
  const url = (await exportSettingsOf(ctx)).captureUrl
  if (!url) throw new AppError('CAPTURE_NOT_SET')
  return url
}

/** The document of a shipment that is to be sent, and the pushes of which its receiver has something. */
interface Prepared {
  shipment: ShipmentRow
  document: EpcisDocument
  url: string
  held: PushRow[]
  /** The newest push by then. */
  newest: PushRow | undefined
}

const underWayOf = (pushes: readonly PushRow[]) => pushes.find(({ state }) => state === 'waiting' || state === 'sent')

/**
 * Gathers the document of a shipment, or finds the push of it that is on its way already. Throws NOT_FOUND, CAPTURE_NOT_SET, or
 * EPCIS_DEVICES_HIDDEN: of two who push in turn and see different devices, each would undo what the other told.
 */
export async function preparePush(
  ctx: Context,
  sources: EpcisSources,
  shipmentId: string,
): Promise<PushRow | Prepared> {
  const { document, shipment } = await gatherDocument(ctx, sources, shipmentId)
  if (document['iso:hiddenDevices'] > 0) throw new AppError('EPCIS_DEVICES_HIDDEN')
  const before = await pushesOf(ctx, shipment.id)
  const underWay = underWayOf(before)
  if (underWay) return underWay
  const url = await captureUrl(ctx)
  return { shipment, document, url, held: await heldPushes(ctx, shipment.id, url), newest: before[0] }
}

/**
 * Stores the document and puts it on its way to the receiver; what the receiver perhaps has and is no longer true is withdrawn in it. Of two who ask at
 * once the second is answered with the first one's. The answer is kept with what was put on its way. Outside of any transaction. Throws EPCIS_EMPTY, EPCIS_HELD_UNKNOWN, or
 * STORAGE_LOW.
 */
export async function sendDocument(
  ctx: Context,
  { shipment, document, url, held, newest }: Prepared,
  keep: KeepAnswer<PushRow>,
): Promise<PushRow> {
  const { services, companyId, clock } = ctx
  const now = clock.now()
  const withdrawn = withdrawnEvents(await eventsHeld(ctx, held, url), document, now)
  const eventList = [...document.epcisBody.eventList, ...withdrawn]
  const sent: EpcisDocument = { ...document, epcisBody: { eventList } }
  if (eventList.length === 0 || faultsOf(sent).length > 0) throw new AppError('EPCIS_EMPTY')
  await services.disk.refuseLow()
  const events = eventList.length
  let row: PushRow | undefined
  const bytes = Buffer.from(JSON.stringify(sent))
  await withBytes(services.config, { area: 'epcis', type: 'json', bytes }, ({ key, sha256 }) =>
    inTenant(services.pool, companyId, async ({ tx, client }) => {
      const within = { tx, companyId }
      await lockShipment(within, shipment.id)
      const pushes = await pushesOf(within, shipment.id)
      // One that came and went meanwhile is not withdrawn by this one.
      row = underWayOf(pushes) ?? (pushes[0]?.id === newest?.id ? undefined : pushes[0])
      if (row) return false
      row = await insertPush(within, {
        ...{ shipment_id: shipment.id, state: 'waiting', events, file_key: key, sha256, url },
        ...{ withdraws_all: true, told: events > maxTold ? null : JSON.stringify(eventList.map(briefOf)) },
        ...{ next_at: now, created_at: now, created_by_name: ctx.person.fullname },
      })
      await insertShipmentEvent(within, {
        ...{ shipment_id: shipment.id, kind: 'epcisSent', occurred_at: now, recorded_at: now, occurred_zone: 'UTC' },
        ...{ source: 'person', by_name: ctx.person.fullname, user_id: ctx.person.id },
        detail: JSON.stringify({ events, sha256: sha256.toString('hex') }),
      })
      const name = showShipmentNumber(shipment.number)
      await writeAudit(tx, companyId, { actor: ctx.actor, origin: ctx.origin, at: now }, [
        {
          ...{ action: 'epcis.pushed', target: { kind: 'shipment', id: shipment.id, name } },
          after: { events, contentSha256: sha256.toString('hex') },
        },
      ])
      const { id: pushId } = row
      await withLogin(tx, () => services.enqueue(client, deliverPush, { companyId, pushId }))
      await keep(tx, row)
      return true
    }),
  )
  return orNotFound(row)
}

/** Events of a document that are kept beside its file: some hundred bytes each. */
const maxTold = 5_000

/**
 * The events that a receiver perhaps has of earlier pushes: read one after the other, because each may be large. Throws EPCIS_HELD_UNKNOWN where neither
 * the file of a push nor its events are there any more: what it told would never be withdrawn.
 */
async function eventsHeld(ctx: Context, pushes: readonly PushRow[], url: string): Promise<HeldEvent[]> {
  const sent = []
  for (const push of pushes) {
    const parts = partsOf(push).filter((part) => part.url === url)
    const eventList = (await readDocument(ctx, push))?.epcisBody.eventList ?? (await keptEvents(ctx, push))
    if (!eventList) throw new AppError('EPCIS_HELD_UNKNOWN')
    sent.push({ eventList, parts })
  }
  return heldEvents(sent)
}

const keptEvents = ({ services, companyId }: Context, { id }: PushRow) =>
  inTenant(services.pool, companyId, ({ tx }) => toldBy({ tx, companyId }, id)) as Promise<EpcisEvent[] | undefined>

/** The document of a push, as it was sent; undefined where its file is gone. */
async function readDocument({ services }: Pick<Context, 'services'>, { file_key }: PushRow) {
  const path = await openFiles(services.config).pathOf(file_key)
  return path === undefined ? undefined : (JSON.parse(await readFile(path, 'utf8')) as EpcisDocument)
}

/** Sends a push again that failed, and is the newest of its shipment. Throws NOT_FOUND, CAPTURE_NOT_SET, PUSH_NOT_FAILED, or PUSH_OUTDATED. */
export async function retryPush(ctx: Context, id: string): Promise<PushRow> {
  const push = orNotFound(await pushById(ctx, id))
  await lockShipment(ctx, push.shipment_id)
  const [newest] = await pushesOf(ctx, push.shipment_id)
  if (newest?.id !== push.id) throw new AppError('PUSH_OUTDATED')
  const renewed = await renewPush(ctx, push.id, { url: await captureUrl(ctx), now: ctx.clock.now() })
  if (!renewed) throw new AppError('PUSH_NOT_FAILED')
  ctx.audit({
    ...{ action: 'epcis.pushedAgain', target: { kind: 'epcisPush', id: push.id, name: push.id } },
    after: { events: push.events, contentSha256: push.sha256.toString('hex') },
  })
  await ctx.enqueue(deliverPush, { companyId: ctx.companyId, pushId: push.id })
  return renewed
}
