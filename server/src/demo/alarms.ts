import { NewAlarm } from '@isotherm/contract/alarms.ts'
import type { z } from 'zod'
import { addAlarm } from '../features/alarms/add-alarm.ts'
import type { Context } from '../platform/context.ts'
import type { Services } from '../platform/services.ts'
import { asAdmin } from './actor.ts'

/** While the history is loaded everything is recorded and nobody told; what is still open afterwards is told then. */
const loadingMs = 180_000

/** Gives a company without alarms those of the demo; they judge its history, from `since` on, as well. */
export const ensureAlarms = (services: Services, companyId: number, since: Date): Promise<void> =>
  asAdmin(services, companyId, async (ctx) => {
    const known = await ctx.tx.selectFrom('alarms').select('id').where('company_id', '=', companyId).limit(1).execute()
    if (known.length > 0) return
    for (const alarm of await wanted(ctx)) await addAlarm(ctx, alarm)
    await ctx.tx
      .updateTable('alarms')
      .set({ rule_from: since, snoozed_until: new Date(services.clock.now().getTime() + loadingMs) })
      .where('company_id', '=', companyId)
      .execute()
    await watchSince(ctx, since)
  })

/** As if the alarms had watched their devices from then on: what was measured before that does not fire. */
async function watchSince({ tx, companyId }: Context, since: Date) {
  const targets = await tx.deleteFrom('alarm_targets').where('company_id', '=', companyId).returningAll().execute()
  if (targets.length === 0) return
  await tx
    .insertInto('alarm_targets')
    .values(targets.map((target) => ({ ...target, added_at: since })))
    .execute()
}

async function wanted(ctx: Context): Promise<NewAlarm[]> {
  const { tx, companyId } = ctx
  const people = await tx.selectFrom('users').select(['id', 'role']).where('company_id', '=', companyId).execute()
  const person = (role: string, channels: ('app' | 'mail')[]) =>
    people.filter((one) => one.role === role).map(({ id }) => ({ userId: id, channels }))
  const devices = await tx.selectFrom('devices').select('id').where('company_id', '=', companyId).execute()
  const cold = await tx
    .selectFrom('device_limits')
    .select('device_id')
    .distinct()
    .where('company_id', '=', companyId)
    .where('temperature_max_centi', '=', 800)
    .execute()
  const lagos = await tx
    .selectFrom('geofences')
    .select('id')
    .where('company_id', '=', companyId)
    .where('name', '=', 'Lagos city')
    .execute()
  const all = devices.map(({ id }) => String(id))
  const drafts: z.input<typeof NewAlarm>[] = [
    {
      name: 'Vaccines too warm',
      severity: 'critical',
      deviceIds: cold.map(({ device_id }) => String(device_id)),
      rule: { kind: 'value', temperatureMaxC: 8, delayMinutes: 10, deadbandC: 0.5 },
      recipients: [...person('admin', ['app', 'mail']), ...person('manager', ['app'])],
      escalation: person('manager', ['mail']),
      escalateMinutes: 15,
      notifyNormal: true,
    },
    {
      name: 'Battery low',
      deviceIds: all,
      rule: { kind: 'value', batteryMinPct: 20, deadbandPct: 5 },
      recipients: person('staff', ['app']),
    },
    {
      name: 'Silent for an hour',
      deviceIds: all,
      rule: { kind: 'noData', afterMinutes: 60 },
      recipients: person('admin', ['app']),
      notifyNormal: true,
    },
    {
      name: 'Leaves Lagos',
      deviceIds: all,
      rule: { kind: 'fence', direction: 'out', geofenceIds: lagos.map(({ id }) => id) },
      recipients: person('manager', ['app']),
    },
  ]
  return drafts.flatMap((draft) => NewAlarm.safeParse(draft).data ?? [])
}
