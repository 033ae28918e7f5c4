import { z } from 'zod'
import { get, patch, post, put } from './call.ts'
import { ClaimCode } from './claim-code.ts'
import { Id, Imei, Instant, text } from './common.ts'
import { Paging, pageOf } from './paging.ts'

const Switch = z.enum(['on', 'off'])

/** IATA has two signs, a letter among them; ICAO three letters. */
export const CarrierCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^(?:[A-Z]{3}|[A-Z][A-Z0-9]|[0-9][A-Z])$/, 'carrierCode')
/** Up to four digits, and a letter where the airline uses one; not nothing but zeros. */
export const FlightNumber = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^(?!0+[A-Z]?$)\d{1,4}[A-Z]?$/, 'flightNumber')

/** When and why a device does not send. `awaiting`: it starts at the scheduled departure. */
export const FlightSchedule = z.object({
  state: z.enum(['awaiting', 'on', 'off']),
  /** The reason why it is on; null while it is off. */
  kind: z.enum(['direct', 'flight']).nullable(),
  carrierCode: z.string().nullable(),
  flightNumber: z.string().nullable(),
  scheduledDepartureDate: Instant.nullable(),
  startedAt: Instant.nullable(),
  /** Whether the device has confirmed that it is on, or off. */
  confirmed: z.boolean(),
})
export type FlightSchedule = z.infer<typeof FlightSchedule>

const ofFlight = ['carrierCode', 'flightNumber', 'scheduledDepartureDate'] as const
/** The first field that is there and should not be, or should be and is not. */
const misplaced = (value: Record<string, unknown>) =>
  ofFlight.find((field) => (value[field] === undefined) !== (value.state === 'off'))

/** A flight, whose departure switches flight mode on, or `{state: 'off'}`. */
export const FlightModeChange = z
  .strictObject({
    state: z.literal('off').optional(),
    carrierCode: CarrierCode.optional(),
    flightNumber: FlightNumber.optional(),
    scheduledDepartureDate: Instant.optional(),
  })
  .superRefine((value, { addIssue }) => {
    const field = misplaced(value)
    if (field) addIssue({ code: 'custom', message: 'flightOrOff', path: [field] })
  })
export type FlightModeChange = z.infer<typeof FlightModeChange>

/** Hardware and when it measured for the device: from the first instant to, not with, the last. */
export const HardwarePeriod = z.object({ imei: Imei, probe: z.number().int(), from: Instant, to: Instant.nullable() })
export type HardwarePeriod = z.infer<typeof HardwarePeriod>

export const DeviceLife = z.object({
  deviceId: Id,
  /** Every hardware it ever had, newest first. */
  hardware: z.array(HardwarePeriod),
  /** Those that give it time, newest first; `hint` is the end of the key. */
  licences: z.array(z.object({ hint: z.string(), addedAt: Instant, expiresAt: Instant })),
  licenceUntil: Instant.nullable(),
  power: Switch,
  flight: FlightSchedule,
  decommissionedAt: Instant.nullable(),
})
export type DeviceLife = z.infer<typeof DeviceLife>

/** `newSecret`: hardware that another company had before gets a new secret, shown this once; else null. */
export const ClaimedLife = DeviceLife.extend({ newSecret: z.string().nullable() })
export type ClaimedLife = z.infer<typeof ClaimedLife>

const probe = z.number().int().min(1).max(16)

export const DeviceSwap = z.strictObject({
  newImei: Imei,
  /** On the label of the new hardware. May be left out only where the installation asks for none. */
  claimCode: ClaimCode.optional(),
  /** Left out: the same probe as now. */
  probe: probe.optional(),
})
export const LicenceAdding = z.strictObject({ imei: Imei, licenceKey: text(60), probe: probe.default(1) })
export const PowerChange = z.strictObject({ imei: Imei, state: Switch.default('off') })
export const Decommission = z.strictObject({ reason: text(300).optional() })
export const Restore = z.strictObject({
  /** Left out: the hardware it had last, if nobody uses it. */
  imei: Imei.optional(),
  /** On the label of the hardware; not needed for the hardware it had last. */
  claimCode: ClaimCode.optional(),
  /** Left out: its last licence, if that has a free place and time left. */
  licenceKey: text(60).optional(),
})

export const DecommissionedDevice = z.object({
  id: Id,
  name: z.string(),
  tag: z.string().nullable(),
  type: z.string(),
  visibility: z.enum(['private', 'public']),
  /** The hardware it had last. */
  lastImei: z.string().nullable(),
  /** When the first and the last of its readings were measured. */
  firstReadingAt: Instant.nullable(),
  lastReadingAt: Instant.nullable(),
  decommissionedAt: Instant,
})
export type DecommissionedDevice = z.infer<typeof DecommissionedDevice>

const sorts = ['name', '-name', 'decommissionedAt', '-decommissionedAt'] as const
export const DecommissionedQuery = Paging.extend({ sort: z.enum(sorts).default('-decommissionedAt') })
export type DecommissionedQuery = z.infer<typeof DecommissionedQuery>

export const deviceLife = {
  decommissioned: get('/devices/decommissioned', {
    needs: 'devices.view',
    summary: 'The devices taken out of use; their history stays readable',
    query: DecommissionedQuery,
    returns: pageOf(DecommissionedDevice),
  }),
  life: get('/devices/:id/life', {
    needs: 'devices.view',
    summary: 'The hardware a device had and when, its licences, power and flight mode',
    returns: DeviceLife,
  }),
  swap: post('/devices/:id/swap', {
    needs: 'devices.addOrEdit',
    summary: 'Goes on with other hardware: name, settings and history stay, the old hardware becomes free',
    body: DeviceSwap,
    returns: ClaimedLife,
  }),
  flightModeDirect: patch('/devices/:id/flight-mode-direct', {
    needs: 'devices.addOrEdit',
    summary: 'Flight mode on or off at once',
    body: z.strictObject({ state: Switch }),
    returns: FlightSchedule,
  }),
  flightMode: patch('/devices/:id/flight-mode', {
    needs: 'devices.addOrEdit',
    summary: 'Flight mode from the departure of a flight on, or off',
    body: FlightModeChange,
    returns: FlightSchedule,
  }),
  flightSchedule: get('/devices/:id/flight-schedule', {
    needs: 'devices.view',
    summary: 'Whether flight mode is off, on or awaits its start, and by which flight',
    returns: FlightSchedule,
  }),
  addLicence: patch('/device', {
    needs: 'devices.addOrEdit',
    summary: 'Adds a licence to a device; what is left of the present one is kept',
    body: LicenceAdding,
    returns: DeviceLife,
  }),
  power: put('/power', {
    needs: 'devices.addOrEdit',
    summary: 'Asks the hardware to switch itself off, or on where it still listens',
    body: PowerChange,
    returns: z.object({ imei: Imei, state: Switch, deviceIds: z.array(Id) }),
  }),
  decommission: put('/devices/:id/decommission', {
    needs: 'devices.addOrEdit',
    summary: 'Takes a device out of use: hardware and licence become free, history stays readable',
    body: Decommission,
    returns: DeviceLife,
  }),
  restore: put('/devices/:id/restore', {
    needs: 'devices.addOrEdit',
    begins: 'devices',
    summary: 'Takes a decommissioned device into use again',
    body: Restore,
    returns: ClaimedLife,
  }),
}
