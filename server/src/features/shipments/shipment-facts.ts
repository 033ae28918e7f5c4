import type { GivenLeg, GivenShipmentDevice, NewShipment } from '@isotherm/contract/shipment-calls.ts'
import { findCompany } from '../../core/company/company.ts'
import { amongPorts, portsOf } from '../../core/ports/ports.ts'
import type { Context, ViewerTx } from '../../platform/context.ts'
import { type FoundDevice, findEnd, findPartner, foundDevices } from './check-queries.ts'
import { type LegFacts, locodeMeant } from './draft-legs.ts'
import type { ShipmentFacts } from './draft-shipment.ts'

/** The devices of these that the person sees, by id. */
export async function devicesById(
  ctx: ViewerTx,
  devices: readonly GivenShipmentDevice[],
): Promise<ReadonlyMap<string, FoundDevice>> {
  const ids = devices.map(({ id }) => id)
  return new Map((await foundDevices(ctx, ids)).map((one) => [String(one.id), one]))
}

/** The facts that these legs are judged by. */
export async function legFacts(
  { tx, clock }: Pick<Context, 'tx' | 'clock'>,
  legs: readonly GivenLeg[],
): Promise<LegFacts> {
  const codes = legs.flatMap(({ fromPort, toPort }) =>
    [fromPort, toPort].flatMap((code) => (code ? [code, locodeMeant(code) ?? code] : [])),
  )
  return { now: clock.now(), port: amongPorts(await portsOf(tx, codes)) }
}

/** The facts that a new shipment is judged by. */
export async function factsOf(ctx: Context, input: NewShipment): Promise<ShipmentFacts> {
  const { partnerId } = input
  const origin = await findEnd(ctx, 'origin', input.originId)
  const destination = await findEnd(ctx, 'destination', input.destinationId)
  const partner = partnerId ? await findPartner(ctx, partnerId) : undefined
  return {
    ...(await legFacts(ctx, input.legs)),
    companyZone: (await findCompany(ctx.tx, ctx.companyId)).timezone,
    by: { id: ctx.person.id, name: ctx.person.fullname },
    origin: () => origin,
    destination: () => destination,
    partner: () => partner,
    devices: await devicesById(ctx, input.devices ?? []),
  }
}
