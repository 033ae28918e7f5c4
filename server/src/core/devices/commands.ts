import type { Tx } from '../../platform/db/transaction.ts'
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
