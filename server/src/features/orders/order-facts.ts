import type { NewOrder } from '@isotherm/contract/new-order.ts'
import { findCompany } from '../../core/company/company.ts'
import { dispatchSettingsOf } from '../../core/orders/dispatch-settings.ts'
import { seesPrivate } from '../../core/visibility/visibility.ts'
import type { Context } from '../../platform/context.ts'
import { nearestTownCountry } from '../../platform/gazetteer/nearest-town.ts'
import { type CarrierRow, carriedDevices, findDriver, findVehicle, knownContacts } from './check-queries.ts'
import type { OrderFacts } from './draft-facts.ts'

/** The facts that all orders of a company are judged by, whatever they name. */
export async function companyFacts(ctx: Context) {
  const { country, timezone } = await findCompany(ctx.tx, ctx.companyId)
  return {
    now: ctx.clock.now(),
    company: { country, timezone },
    settings: await dispatchSettingsOf(ctx),
    isPhoneStrict: ctx.services.config.phoneStrict,
    seesPrivate: seesPrivate(ctx.person),
  }
}

/** The facts that an order is judged by. */
export async function factsOf(ctx: Context, input: NewOrder): Promise<OrderFacts> {
  const contactIds = [input.sender, ...input.receivers].flatMap(({ contactId }) => contactId ?? [])
  const deviceIds = input.devices.map(({ id }) => id)
  const devices = deviceIds.length > 0 ? await carriedDevices(ctx, deviceIds) : []
  const { driverId, vehicleId } = input
  return {
    ...(await companyFacts(ctx)),
    contacts: contactIds.length > 0 ? await knownContacts(ctx, contactIds) : new Set(),
    devices: new Map(devices.map((device) => [String(device.id), device])),
    drivers: byId(driverId, driverId === null ? undefined : await findDriver(ctx, driverId)),
    vehicles: byId(vehicleId, vehicleId === null ? undefined : await findVehicle(ctx, vehicleId)),
    countryAt: nearestTownCountry,
  }
}

const byId = (id: string | null, row: CarrierRow | undefined): ReadonlyMap<string, CarrierRow> =>
  new Map(id !== null && row ? [[id, row]] : [])
