import type { Context } from '../../platform/context.ts'
import type { Pool } from '../../platform/db/pool.ts'
import { asPipeline, type Tx } from '../../platform/db/transaction.ts'
import { noteDevices } from './settings-changes.ts'

/** A request to a device: kept until it answers, then the pipeline brings `devices` up to date. */
export type DeviceCommand =
  | { kind: 'interval'; value: { intervalS: number } }
  | { kind: 'transmission' | 'power' | 'flight_mode'; value: { state: string } }

interface CommandContext {
  companyId: number
  deviceId: number
  /** The person who asks; null where a schedule does. */
  userId: string | null
  now: Date
}

/**
 * Asks a device for something, replacing what it has not answered of that kind. `confirmed` is what it last confirmed: it
 * is asked for that again only where another command may have reached it meanwhile.
 */
export async function requestCommand(
  tx: Tx,
  about: CommandContext,
  { kind, value }: DeviceCommand,
  confirmed: DeviceCommand['value'],
): Promise<void> {
  const withdrawn = await tx
    .updateTable('device_commands')
    .set({ superseded_at: about.now })
    .where('company_id', '=', about.companyId)
    .where('device_id', '=', about.deviceId)
    .where('kind', '=', kind)
    .where('acked_at', 'is', null)
    .where('superseded_at', 'is', null)
    .returning('id')
    .execute()
  if (same(value, confirmed) && withdrawn.length === 0) return
  await queueCommands(tx, [{ ...about, kind, value }])
}

/** Asks devices for something where nothing of that kind waits: what is new has no other commands. */
export async function queueCommands(
  tx: Tx,
  commands: (CommandContext & { kind: DeviceCommand['kind']; value: DeviceCommand['value'] })[],
): Promise<void> {
  if (commands.length === 0) return
  await tx
    .insertInto('device_commands')
    .values(
      commands.map(({ companyId, deviceId, userId, now, kind, value }) => ({
        company_id: companyId,
        device_id: deviceId,
        kind,
        value: JSON.stringify(value),
        created_at: now,
        created_by: userId,
      })),
    )
    .execute()
  await noteDevices(tx, commands)
}

const same = (a: DeviceCommand['value'], b: DeviceCommand['value']) => JSON.stringify(a) === JSON.stringify(b)

/** Takes back what the present hardware has not answered: other hardware has other answers. Returns what was asked. */
export async function withdrawCommands(ctx: Context, deviceId: number): Promise<{ kind: string; value: unknown }[]> {
  const withdrawn = await ctx.tx
    .updateTable('device_commands')
    .set({ superseded_at: ctx.clock.now() })
    .where('company_id', '=', ctx.companyId)
    .where('device_id', '=', deviceId)
    .where('acked_at', 'is', null)
    .where('superseded_at', 'is', null)
    .returning(['kind', 'value'])
    .execute()
  await noteDevices(ctx.tx, [{ companyId: ctx.companyId, deviceId }])
  return withdrawn
}

/** Notes that these devices were told their commands: a command that reached one can only be revoked by another. */
export async function markSent(
  pool: Pool,
  devices: readonly { companyId: number; id: number }[],
  now: number,
): Promise<void> {
  if (devices.length === 0) return
  await asPipeline(pool, ({ client }) =>
    client.query(
      `update device_commands c set sent_at = to_timestamp($3::float8 / 1000)
       from unnest($1::int4[], $2::int4[]) as sent (company_id, device_id)
       where (c.company_id, c.device_id) = (sent.company_id, sent.device_id)
         and c.sent_at is null and c.acked_at is null and c.superseded_at is null`,
      [devices.map(({ companyId }) => companyId), devices.map(({ id }) => id), now],
    ),
  )
}
