import { createHash } from 'node:crypto'
import { type HandOverFacts, orderLinkLimits, type StopConditions } from '@isotherm/contract/order-links.ts'
import { orderLimits } from '@isotherm/contract/orders.ts'
import { canonical } from '../../platform/audit/audit.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { isHeard } from './acts/act-queries.ts'
import { instantOf } from './acts/refusals.ts'
import { settleReceiver } from './acts/settle-receiver.ts'
import { isAtTheStop } from './at-the-stop.ts'
import { type BoundConditions, type ConditionSources, conditionsOf } from './conditions.ts'
import { type EventAuthor, noteEvent } from './events.ts'
import { type HandOverRow, insertHandOver, lastHandOver } from './hand-over-queries.ts'
import { linkViewer } from './link-context.ts'
import { itemsOf, type OrderRow, type ReceiverRow } from './order-queries.ts'

/** A picture that was judged by its content and lies in our files. */
export interface KeptPicture {
  key: string
  type: 'png' | 'jpg' | 'webp'
  sizeBytes: number
  sha256: Buffer
}

/** The column `verdict` of a hand-over. */
export interface BoundVerdict {
  /** Null without devices that the page may show. */
  conditions: StopConditions | null
  wasShown: boolean
  devices: number[]
  /** The hash of the devices' readings, hex. */
  readings: string | null
}

export const verdictOfRow = ({ verdict }: Pick<HandOverRow, 'verdict'>): BoundVerdict =>
  verdict as unknown as BoundVerdict

interface DoorWords {
  facts: HandOverFacts
  signature: KeptPicture | null
  photos: KeptPicture[]
  by: EventAuthor & { source: 'person' | 'driverLink' | 'receiverLink' }
}

/**
 * Hands the goods of a receiver of a locked order over, with the verdict of that moment. After one that became void the same receiver
 * signs again, for the same time. Undefined where the same request was heard before. Throws RECEIVER_SETTLED, NOT_AT_THE_STOP,
 * HANDOVER_CHANGED, VALIDATION, and whatever settling throws.
 */
export async function handOver(
  ctx: Context,
  sources: ConditionSources,
  order: OrderRow,
  receiver: ReceiverRow,
  { facts, signature, photos, by }: DoorWords,
): Promise<HandOverRow | undefined> {
  if (await isHeard(ctx, order.id, facts.requestId)) return undefined
  const last = await lastHandOver(ctx, receiver.id)
  const isAgain = last?.void_at !== null && last !== undefined
  if (receiver.settled_at && !isAgain) throw new AppError('RECEIVER_SETTLED', { name: receiver.name })
  const at = instantOf(ctx, new Date(facts.at))
  if (by.source === 'receiverLink') {
    if (!signature || !facts.signerName) throw invalidField(signature ? 'facts.signerName' : 'signature', 'required')
    if (!isAgain && !(await isAtTheStop(ctx, order, receiver))) throw new AppError('NOT_AT_THE_STOP')
  }
  const until = isAgain ? new Date(verdictOfRow(last).conditions?.to ?? last.occurred_at) : null
  const isReceiver = by.source === 'receiverLink'
  const bound = await boundAt(ctx, sources, { order, receiver, facts, until, isReceiver })
  const items = await settledItems(ctx, order, receiver, facts)
  const verdict: BoundVerdict = {
    conditions: bound?.shown.conditions ?? null,
    wasShown: facts.shown !== null,
    devices: bound?.devices ?? [],
    readings: bound?.readings ?? null,
  }
  const { outcome, reservation, reason, signerName, signerRole, position, requestId } = facts
  const content = {
    ...{ order: order.id, receiver: receiver.id, shown: bound?.shown.sha256 ?? null, wasShown: verdict.wasShown },
    ...{ outcome, reservation, reason, signerName, signerRole, at: at.toISOString() },
    items: items.map(({ id: _, ...item }) => item),
    ...{
      signature: signature?.sha256.toString('hex') ?? null,
      photos: photos.map(({ sha256 }) => sha256.toString('hex')),
    },
  }
  const contentSha256 = createHash('sha256').update(canonical(content)).digest()
  if (isAgain) {
    const detail = { outcome, isAgain: true, contentSha256: contentSha256.toString('hex') }
    const event = {
      kind: 'handedOver' as const,
      at,
      zone: receiver.zone,
      by,
      receiverId: receiver.id,
      position,
      detail,
    }
    await noteEvent(ctx, order.id, { ...event, requestId })
  } else {
    const act = { ...ctx, by, seesPrivate: false }
    await settleReceiver(act, order, receiver.id, { outcome, at, requestId, items, reason, position })
  }
  return insertHandOver(
    ctx,
    {
      ...{ order_id: order.id, receiver_id: receiver.id, outcome, reservation, reason },
      ...{ signer_name: signerName, signer_role: signerRole, source: by.source, by_name: by.name },
      ...{ occurred_at: at, recorded_at: ctx.clock.now(), lat: position?.lat ?? null, lon: position?.lon ?? null },
      verdict: JSON.stringify(verdict),
      content_sha256: contentSha256,
      ...{ signature_key: signature?.key ?? null, signature_sha256: signature?.sha256 ?? null },
    },
    photos.map(({ key, type, sizeBytes, sha256 }) => ({ file_key: key, type, size_bytes: sizeBytes, sha256 })),
  )
}

const minuteMs = 60_000

/**
 * The conditions that a hand-over binds: those that were on the screen, if they still are as they were shown, else those up to the moment.
 * A receiver signs for what they saw: conditions that there are must have been shown.
 */
async function boundAt(
  ctx: Context,
  sources: ConditionSources,
  {
    order,
    receiver,
    facts,
    until,
    isReceiver,
  }: { order: OrderRow; receiver: ReceiverRow; facts: HandOverFacts; until: Date | null; isReceiver: boolean },
): Promise<BoundConditions | null> {
  const viewer: Context = { ...ctx, person: linkViewer(order), can: () => false }
  const { shown } = facts
  const to = new Date(shown?.to ?? until ?? facts.at)
  const bound = await conditionsOf(viewer, sources, { order, receiver, to })
  if (!shown && !(isReceiver && bound)) return bound
  if (!shown || bound?.shown.sha256 !== shown.sha256 || !fits(to, until, new Date(facts.at)))
    throw new AppError('HANDOVER_CHANGED')
  return bound
}

/** Whether conditions up to an instant may be signed for at another one: they were on the screen just before. */
const fits = (to: Date, until: Date | null, at: Date): boolean =>
  until
    ? to.getTime() === until.getTime()
    : at.getTime() - to.getTime() <= orderLinkLimits.shownMinutes * minuteMs &&
      to.getTime() - at.getTime() <= orderLimits.aheadMinutes * minuteMs

/** The outcome of each item: as it is said, else all of it or, where the goods were not taken, nothing. Throws VALIDATION. */
async function settledItems(ctx: TenantTx, order: OrderRow, receiver: ReceiverRow, { items, outcome }: HandOverFacts) {
  const own = (await itemsOf(ctx, order.id)).filter(({ receiver_id }) => receiver_id === receiver.id)
  const isTaken = outcome === 'delivered' || outcome === 'partlyDelivered'
  const bad = items.findIndex(({ item, delivered }) => delivered > (own[item]?.quantity ?? -1))
  if (bad !== -1) throw invalidField(`facts.items.${bad}.delivered`, 'rule.unknownItem')
  return own.map(({ id, name, quantity }, index) => {
    const said = isTaken ? items.find(({ item }) => item === index) : undefined
    const deliveredQuantity = said?.delivered ?? (isTaken ? quantity : 0)
    return { id, name, quantity, deliveredQuantity, refusedReason: said?.reason ?? null }
  })
}
