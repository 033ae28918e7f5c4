import type { Insertable, Selectable } from 'kysely'
import type { Context, TenantTx } from '../../platform/context.ts'
import type { FlightModes } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type FlightRow = Selectable<FlightModes>
type Timed = TenantTx & Pick<Context, 'clock'>

const unfinished = (ctx: TenantTx, deviceId: number) =>
  ctx.tx
    .updateTable('flight_modes')
    .where('company_id', '=', ctx.companyId)
    .where('device_id', '=', deviceId)
    .where('state', '<>', 'off')

/** Flight mode of a device that is on or scheduled. */
export const currentFlight = (ctx: TenantTx, deviceId: number): Promise<FlightRow | undefined> =>
  ctx.tx
    .selectFrom('flight_modes')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('device_id', '=', deviceId)
    .where('state', '<>', 'off')
    .executeTakeFirst()

/** Flight mode as the device confirmed it. */
export async function confirmedFlight(ctx: TenantTx, deviceId: number): Promise<string> {
  const row = await ctx.tx
    .selectFrom('devices')
    .select('flight_mode')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', deviceId)
    .executeTakeFirstOrThrow()
  return row.flight_mode
}

export const insertFlight = (
  { tx, companyId, clock }: Timed,
  flight: Omit<Insertable<FlightModes>, 'company_id' | 'created_at'>,
) =>
  tx
    .insertInto('flight_modes')
    .values({ company_id: companyId, created_at: clock.now(), ...flight })
    .execute()

/** Starts what is scheduled; false where nothing is. */
export async function startScheduled(ctx: Context, deviceId: number): Promise<boolean> {
  const { numUpdatedRows } = await unfinished(ctx, deviceId)
    .set((eb) => ({ state: 'on', started_at: eb.fn.coalesce('started_at', eb.val(ctx.clock.now())) }))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Ends what is on or scheduled, or only what is in the given state. Tells the device nothing. */
export async function endFlightMode(ctx: Timed, deviceId: number, state?: 'awaiting' | 'on'): Promise<void> {
  const ending = unfinished(ctx, deviceId).set({ state: 'off', ended_at: ctx.clock.now() })
  await (state ? ending.where('state', '=', state) : ending).execute()
}

/** Flights that depart by now, of every company. */
export const dueFlights = (tx: Tx, now: Date) =>
  tx
    .selectFrom('flight_modes')
    .select(['company_id', 'id', 'device_id'])
    .where('state', '=', 'awaiting')
    .where('departs_at', '<=', now)
    .orderBy('departs_at')
    .execute()

export const lockFlyingDevice = (tx: Tx, companyId: number, deviceId: number) =>
  tx
    .selectFrom('devices')
    .select(['id', 'name', 'visibility', 'flight_mode'])
    .where('company_id', '=', companyId)
    .where('id', '=', deviceId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

/** Undefined where it was switched off, or started, by hand meanwhile. */
export const startDue = (tx: Tx, companyId: number, id: string, now: Date) =>
  tx
    .updateTable('flight_modes')
    .set({ state: 'on', started_at: now })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('state', '=', 'awaiting')
    .returning(['carrier_code', 'flight_number'])
    .executeTakeFirst()
