import { randomUUID } from 'node:crypto'
import { type NewItem, NewOrder } from '@isotherm/contract/new-order.ts'
import { HandOverFacts } from '@isotherm/contract/order-links.ts'
import type { Outcome } from '@isotherm/contract/orders.ts'
import type { z } from 'zod'
import { conditionSources } from '../app.ts'
import { actContext } from '../core/orders/acts/act-context.ts'
import { cancelOrder } from '../core/orders/acts/cancel-order.ts'
import { endOrder } from '../core/orders/acts/end-order.ts'
import { startOrder } from '../core/orders/acts/start-order.ts'
import { arriveAt } from '../core/orders/acts/visit-stop.ts'
import { takeCertificate } from '../core/orders/certify.ts'
import type { KeptPicture } from '../core/orders/hand-over.ts'
import { lockInsurance } from '../core/orders/insurance-queries.ts'
import { lockOrder, type OrderRow, receiversOf } from '../core/orders/order-queries.ts'
import { listInsurancePlans } from '../core/provider/insurance-plans.ts'
import { giveGoods } from '../features/order-links/give-goods.ts'
import { addOrder } from '../features/orders/add-order.ts'
import { changeSettings, readSettings } from '../features/orders/settings.ts'
import type { Context } from '../platform/context.ts'
import { asLogin } from '../platform/db/transaction.ts'
import { keepBytes } from '../platform/files/uploads.ts'
import type { Services } from '../platform/services.ts'
import { asAdmin } from './actor.ts'
import { addCrews, type MadeCrew } from './crews.ts'
import { drawSignature } from './signature.ts'

const hourMs = 3_600_000
/** The same person some hours ago. */
const ago = (ctx: Context, hours: number): Context => {
  const then = new Date(ctx.clock.now().getTime() - hours * hourMs)
  return { ...ctx, clock: { now: () => then } }
}
const ahead = ({ clock }: Context, hours: number) => new Date(clock.now().getTime() + hours * hourMs).toISOString()

const places = {
  apapa: { address: 'Apapa cold store, Lagos', lat: 6.4412, lon: 3.3672, country: 'NG' },
  sagamu: { address: 'General hospital, Sagamu', lat: 6.8485, lon: 3.6463, country: 'NG' },
  ibadan: { address: 'University hospital, Ibadan', lat: 7.3776, lon: 3.9059, country: 'NG' },
  accra: { address: 'Korle Bu, Accra', lat: 5.556, lon: -0.1969, country: 'GH' },
  tamale: { address: 'Regional hospital, Tamale', lat: 9.3995, lon: -0.8393, country: 'GH' },
  nairobi: { address: 'Central vaccine store, Nairobi', lat: -1.2833, lon: 36.8167, country: 'KE' },
  mombasa: { address: 'Nyali pharmacy, Mombasa', lat: -4.0547, lon: 39.6636, country: 'KE' },
  capeTown: { address: 'Medicines depot, Cape Town', lat: -33.9185, lon: 18.429, country: 'ZA' },
  paarl: { address: 'District hospital, Paarl', lat: -33.73, lon: 18.961, country: 'ZA' },
}
type Place = keyof typeof places

const vaccines: z.input<typeof NewItem> = { name: 'Pentavalent vaccine', quantity: 12, unitCount: 50 }
const insulin: z.input<typeof NewItem> = { name: 'Insulin vials', quantity: 4, unitCount: 100 }
const boxes = (item: z.input<typeof NewItem>) => ({ ...item, weightG: 18_000, worth: 45_000_000 })

interface Plan {
  reference: string
  from: Place
  to: { place: Place; name: string; by: number }[]
  crew: MadeCrew | undefined
  /** Hours from now on. */
  deliverBy: number
  insurancePlanId?: string | null
}

const add = (ctx: Context, plan: Plan, hoursAgo: number): Promise<OrderRow> => {
  const { reference, from, to, crew, deliverBy, insurancePlanId = null } = plan
  const input: z.input<typeof NewOrder> = {
    ...{ reference, insurancePlanId, deliveryFee: 1_500_000, deliverBy: ahead(ctx, deliverBy) },
    sender: { name: 'Adaeze Okafor', company: 'Demo Cold Chain Ltd' },
    pickup: places[from],
    receivers: to.map(({ place, name, by }, index) => ({
      ...{ name, stop: places[place], windowBy: ahead(ctx, by) },
      items: [boxes(index === 0 ? vaccines : insulin)],
    })),
    ...(crew && { driverId: crew.driverId, vehicleId: crew.vehicleId }),
    devices: crew?.deviceId ? [{ id: crew.deviceId, role: 'vehicle' }] : [],
  }
  return addOrder(ago(ctx, hoursAgo), NewOrder.parse(input))
}

const start = async (ctx: Context, { id }: OrderRow, hoursAgo: number) => {
  const then = ago(ctx, hoursAgo)
  await startOrder(actContext(then), await lockOrder(then, id), {})
}

/** Stores the signatures of stops before the transaction that has them signed. */
const signed = async ({ config }: Services, signers: readonly string[]) =>
  Promise.all(
    signers.map(async (signer) => ({
      signer,
      signature: (await keepBytes(config, 'handovers', 'png', drawSignature(signer))) as KeptPicture,
    })),
  )

interface Served {
  outcome: Outcome
  hoursAgo: number
  signer: string
  signature: KeptPicture
  reservation?: string
  reason?: string
}

/** Serves the stops of an order one after another, the last one at its end: at each the driver hands over, and somebody signs on the phone. */
async function drive(ctx: Context, { id }: OrderRow, served: Served[]) {
  const receivers = await receiversOf(ctx, [id])
  for (const [index, { signer, signature, hoursAgo, ...said }] of served.entries()) {
    const receiver = receivers[index]
    if (!receiver) return
    const then = ago(ctx, hoursAgo)
    await arriveAt(actContext(ago(ctx, hoursAgo + 0.3)), await lockOrder(ctx, id), receiver.id, {})
    const order = await lockOrder(ctx, id)
    const facts = HandOverFacts.parse({
      ...{ reservation: null, reason: null, ...said, signerName: signer, signerRole: null },
      ...{ at: then.clock.now().toISOString(), requestId: randomUUID() },
    })
    await giveGoods(then, conditionSources, order, receiver, {
      facts,
      pictures: { signature, photos: [] },
      by: { source: 'driverLink', name: order.driver_name },
    })
  }
}

const end = async (ctx: Context, { id }: OrderRow, hoursAgo: number) =>
  void (await endOrder(actContext(ago(ctx, hoursAgo)), await lockOrder(ctx, id), {}))

async function certify(ctx: Context, { id }: OrderRow) {
  const order = await lockOrder(ctx, id)
  const insurance = await lockInsurance(ctx, id)
  if (!insurance?.currency) return
  await takeCertificate(actContext(ctx), order, insurance, {
    ...{ policyNumber: 'LW-2026-004711', worth: Number(insurance.worth), currency: insurance.currency, pdf: null },
    ...{ validFrom: order.created_at, validTo: new Date(order.deliver_by.getTime() + 72 * hourMs) },
  })
}

/** The Manager hears by mail, too, that an order will be late or its goods are out of range. */
async function chooseRecipients(ctx: Context) {
  const { currencyInUse: _currency, recipients: _nobody, escalation: _second, ...settings } = await readSettings(ctx)
  const managers = await ctx.tx
    .selectFrom('users')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('role', '=', 'manager')
    .execute()
  const people = managers.map(({ id }) => ({ userId: id, channels: ['app' as const, 'mail' as const] }))
  await changeSettings(ctx, { ...settings, recipients: { late: people, outOfRange: people } })
}

/**
 * Gives a company without drivers those of the demo, with vehicles, contacts, a partner, and orders in every state: new ones, insured ones, two under
 * way of which one is late, one that was delivered, one that was refused at its last stop, and one that was cancelled. Those that are over were
 * signed for: what was signed is bound to the readings of its time, which are there before.
 */
export async function ensureOrders(services: Services, companyId: number): Promise<void> {
  const [insurance] = await asLogin(services.pool, ({ tx }) => listInsurancePlans(tx))
  const insurancePlanId = insurance ? String(insurance.id) : null
  const known = await asAdmin(services, companyId, ({ tx }) =>
    tx.selectFrom('drivers').select('id').where('company_id', '=', companyId).limit(1).execute(),
  )
  if (known.length > 0) return
  const signers = ['Folake Ojo', 'Tunde Alabi']
  const [first, second, third, fourth] = await signed(services, [...signers, ...signers])
  if (!first || !second || !third || !fourth) return
  await asAdmin(services, companyId, async (ctx) => {
    await chooseRecipients(ago(ctx, 24 * 14))
    const crews = await addCrews(ago(ctx, 24 * 14))
    const toIbadan = (reference: string, hours: number, more: object = {}): Plan => ({
      ...{ reference, from: 'apapa', crew: crews.get('LND-482 XA'), deliverBy: hours },
      to: [
        { place: 'sagamu', name: 'Folake Ojo', by: hours - 2 },
        { place: 'ibadan', name: 'Tunde Alabi', by: hours },
      ],
      ...more,
    })
    const delivered = await add(ctx, toIbadan('Outreach, Monday', -68), 82)
    await start(ctx, delivered, 76)
    await drive(ctx, delivered, [
      { outcome: 'delivered', hoursAgo: 74, ...first },
      { outcome: 'delivered', hoursAgo: 72, ...second, reservation: 'One carton is dented.' },
    ])
    await end(ctx, delivered, 71.5)
    const refused = await add(ctx, toIbadan('Outreach, Tuesday', -44), 58)
    await start(ctx, refused, 52)
    await drive(ctx, refused, [
      { outcome: 'delivered', hoursAgo: 50, ...third },
      { outcome: 'refused', hoursAgo: 48, ...fourth, reason: 'Two boxes were warm to the touch.' },
    ])
    await end(ctx, refused, 47)
    await start(ctx, await add(ctx, toIbadan('Outreach, today', 6), 20), 2)
    // Its van turns back in Kumasi: at whatever hour the demo begins, this one is late.
    const tamale: Plan = {
      ...{ reference: 'Tamale, weekly', from: 'accra', crew: crews.get('GT 5120-24'), deliverBy: -1 },
      to: [{ place: 'tamale', name: 'Rashida Alhassan', by: -2 }],
    }
    await start(ctx, await add(ctx, tamale, 20), 9)
    const mombasa: Plan = {
      ...{
        reference: 'Mombasa, insured',
        from: 'nairobi',
        crew: crews.get('KDG 214T'),
        deliverBy: 40,
        insurancePlanId,
      },
      to: [{ place: 'mombasa', name: 'Hassan Omar', by: 38 }],
    }
    await certify(ago(ctx, 3), await add(ctx, mombasa, 5))
    await add(ctx, toIbadan('Outreach, in two days', 50, { insurancePlanId }), 1)
    const paarl: Plan = {
      ...{ reference: 'Paarl', from: 'capeTown', crew: crews.get('CA 611-902'), deliverBy: 26 },
      to: [{ place: 'paarl', name: 'Lerato Adams', by: 25 }],
    }
    await add(ctx, paarl, 4)
    const { id } = await add(ctx, { ...paarl, reference: 'Paarl, second' }, 8)
    const reason = 'The hospital has enough for this week.'
    await cancelOrder(actContext(ago(ctx, 6)), await lockOrder(ctx, id), { reason })
  })
}
