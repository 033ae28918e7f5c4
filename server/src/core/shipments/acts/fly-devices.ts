import { partsOfFlight } from '../../../domain/identifiers.ts'
import { requestCommand } from '../../devices/commands.ts'
import { currentFlight, endFlightMode, insertFlight } from '../../devices/flight-queries.ts'
import type { LegRow, ShipmentRow } from '../shipment-queries.ts'
import type { ShipmentActContext } from './act-context.ts'
import type { CarriedDevice } from './act-queries.ts'
import { fliesItself } from './flight-settings-queries.ts'
import { lockDevicesOf } from './locked-devices.ts'

/** A departure that is noted later than this says nothing of now. */
const freshMs = 24 * 3_600_000

/** The air leg whose departure is next, where none is in the air: it has neither departed, arrived nor been rolled over. */
function nextFlight(legs: readonly LegRow[]): LegRow | undefined {
  const flights = legs.filter(({ mode, rolled_at }) => mode === 'air' && rolled_at === null)
  if (flights.some(({ atd, ata }) => atd !== null && ata === null)) return undefined
  return flights.find(({ atd, ata }) => atd === null && ata === null)
}

/**
 * Schedules flight mode for the devices of a shipment under way, from the planned departure of its next flight on; the job `start-flights`
 * switches it on. A device that is in flight mode already stays so.
 */
export async function planFlights(
  ctx: ShipmentActContext,
  shipment: ShipmentRow,
  legs: readonly LegRow[],
  devices: readonly CarriedDevice[],
): Promise<void> {
  const leg = nextFlight(legs)
  if (shipment.state !== 'ongoing' || !leg?.etd || leg.etd <= ctx.clock.now() || !(await fliesItself(ctx))) return
  await schedule(ctx, leg, leg.etd, devices)
}

/** The airline and the number of a leg's flight: a waybill alone may have been booked. */
function flightOf({ carrier_code, flight_number }: LegRow) {
  const parts = flight_number === null ? null : partsOfFlight(flight_number)
  return { carrier_code: parts?.carrier ?? carrier_code, flight_number: parts?.number ?? null }
}

async function schedule(ctx: ShipmentActContext, leg: LegRow, departsAt: Date, devices: readonly CarriedDevice[]) {
  for (const { id } of devices) {
    if ((await currentFlight(ctx, id))?.state === 'on') continue
    await endFlightMode(ctx, id)
    await insertFlight(ctx, {
      ...{ device_id: id, kind: 'flight', state: 'awaiting', departs_at: departsAt },
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

/** A flight arrived: its devices are asked to send again; what was planned for it goes. */
export async function landNow(ctx: ShipmentActContext, shipment: ShipmentRow, leg: LegRow): Promise<void> {
  if (leg.mode !== 'air' || !(await fliesItself(ctx))) return
  const now = ctx.clock.now()
  for (const { id, flightMode } of await lockDevicesOf(ctx, shipment.id)) {
    if (!(await currentFlight(ctx, id))) continue
    await endFlightMode(ctx, id)
    const about = { companyId: ctx.companyId, deviceId: id, userId: ctx.by.userId ?? null, now }
    await requestCommand(ctx.tx, about, { kind: 'flight_mode', value: { state: 'off' } }, { state: flightMode })
  }
}

/** A shipment is over: flights that were planned for its devices are none of theirs any more. */
export async function forgetFlights(ctx: ShipmentActContext, shipmentId: string): Promise<void> {
  for (const { id } of await lockDevicesOf(ctx, shipmentId)) await endFlightMode(ctx, id, 'awaiting')
}
