import { partsOfFlight } from '../../../domain/identifiers.ts'
import { requestCommand } from '../../devices/commands.ts'
import { currentFlight, endFlightMode, type FlightRow, insertFlight } from '../../devices/flight-queries.ts'
import { type LegRow, legsOf, type ShipmentRow } from '../shipment-queries.ts'
import type { ShipmentActContext } from './act-context.ts'
import type { CarriedDevice } from './act-queries.ts'
import { fliesItself } from './flight-settings-queries.ts'
import { lockDevicesOf } from './locked-devices.ts'

/** A departure that is noted later than this says nothing of now. */
const freshMs = 24 * 3_600_000

/** The flights of a shipment that are not over, but for those that it missed. */
const openFlights = (legs: readonly LegRow[]): LegRow[] =>
  legs.filter(({ mode, rolled_at, ata }) => mode === 'air' && rolled_at === null && ata === null)

const isInAir = (legs: readonly LegRow[]): boolean => openFlights(legs).some(({ atd }) => atd !== null)

/**
 * Schedules flight mode for the devices of a shipment under way, from the planned departure of its next flight on; the job `start-flights`
 * switches it on. A flight of the shipment that will not be, or later, is forgotten; devices that are silent for it are asked to send again.
 * A flight mode that somebody planned or switched by hand stays.
 */
export async function planFlights(
  ctx: ShipmentActContext,
  shipment: ShipmentRow,
  legs: readonly LegRow[],
  devices: readonly CarriedDevice[],
): Promise<void> {
  if (shipment.state !== 'ongoing' || isInAir(legs) || !(await fliesItself(ctx))) return
  const [next] = openFlights(legs)
  const departsAt = next?.etd && next.etd > ctx.clock.now() ? next.etd : null
  for (const device of devices) {
    const current = await currentFlight(ctx, device.id)
    const isOwn = current !== undefined && !isByHand(current)
    // Its departure has come, though nobody has noted it yet.
    const isDue = isOwn && current.leg_id === next?.id && next.etd !== null && departsAt === null
    if (isOwn && !isDue) await endFlight(ctx, device, current)
  }
  if (next && departsAt) await schedule(ctx, next, departsAt, devices)
}

/** Ends the flight mode of a device. One that may be silent is asked to send again. */
async function endFlight(ctx: ShipmentActContext, { id, flightMode }: CarriedDevice, { state }: { state: string }) {
  await endFlightMode(ctx, id)
  if (state !== 'on') return
  const about = { companyId: ctx.companyId, deviceId: id, userId: ctx.by.userId ?? null, now: ctx.clock.now() }
  await requestCommand(ctx.tx, about, { kind: 'flight_mode', value: { state: 'off' } }, { state: flightMode })
}

/** The airline and the number of a leg's flight: a waybill alone may have been booked. */
function flightOf({ carrier_code, flight_number }: LegRow) {
  const parts = flight_number === null ? null : partsOfFlight(flight_number)
  return { carrier_code: parts?.carrier ?? carrier_code, flight_number: parts?.number ?? null }
}

/** Somebody planned or switched it for the device itself: no shipment ends that. */
const isByHand = (flight: FlightRow | undefined): boolean => flight !== undefined && flight.leg_id === null

const isOf = (legIds: readonly string[], { leg_id }: FlightRow): boolean => leg_id !== null && legIds.includes(leg_id)

async function schedule(ctx: ShipmentActContext, leg: LegRow, departsAt: Date, devices: readonly CarriedDevice[]) {
  for (const { id } of devices) {
    const current = await currentFlight(ctx, id)
    if (current?.state === 'on' || isByHand(current)) continue
    await endFlightMode(ctx, id)
    await insertFlight(ctx, {
      ...{ device_id: id, kind: 'flight', state: 'awaiting', departs_at: departsAt, leg_id: leg.id },
      ...flightOf(leg),
    })
  }
}

/** A flight departed: its devices go into flight mode now, whatever was planned. */
export async function flyNow(ctx: ShipmentActContext, shipment: ShipmentRow, leg: LegRow, at: Date): Promise<void> {
  const isFresh = leg.ata === null && ctx.clock.now().getTime() - at.getTime() <= freshMs
  if (leg.mode !== 'air' || !isFresh || !(await fliesItself(ctx))) return
  await schedule(ctx, leg, at, await lockDevicesOf(ctx, shipment.id))
}

/** A flight arrived: devices that are silent for it, or for one before it, are asked to send again, unless the next one has departed meanwhile. */
export async function landNow(ctx: ShipmentActContext, shipment: ShipmentRow, leg: LegRow): Promise<void> {
  const legs = await legsOf(ctx, [shipment.id])
  if (leg.mode !== 'air' || isInAir(legs) || !(await fliesItself(ctx))) return
  const flown = legs.flatMap(({ id, atd }) => (id === leg.id || atd !== null ? [id] : []))
  for (const device of await lockDevicesOf(ctx, shipment.id)) {
    const current = await currentFlight(ctx, device.id)
    if (current && isOf(flown, current)) await endFlight(ctx, device, current)
  }
}

/** A shipment did not begin: its devices fly none of its flights, and those that are silent for one are asked to send again. */
export const endFlights = async (ctx: ShipmentActContext, shipmentId: string): Promise<void> =>
  endFlightsOf(ctx, shipmentId, await lockDevicesOf(ctx, shipmentId))

/** The same for devices that are taken off it; they are locked. */
export async function endFlightsOf(
  ctx: ShipmentActContext,
  shipmentId: string,
  devices: readonly CarriedDevice[],
): Promise<void> {
  const legs = (await legsOf(ctx, [shipmentId])).map(({ id }) => id)
  for (const device of devices) {
    const current = await currentFlight(ctx, device.id)
    if (current && isOf(legs, current)) await endFlight(ctx, device, current)
  }
}

/** A shipment is over: flights that were planned for its devices are none of theirs any more. */
export async function forgetFlights(ctx: ShipmentActContext, shipmentId: string): Promise<void> {
  const legs = (await legsOf(ctx, [shipmentId])).map(({ id }) => id)
  for (const { id } of await lockDevicesOf(ctx, shipmentId)) {
    const current = await currentFlight(ctx, id)
    if (current && isOf(legs, current)) await endFlightMode(ctx, id, 'awaiting')
  }
}
