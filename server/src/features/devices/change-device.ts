import { limitsOf } from '@isotherm/contract/device-limits.ts'
import type { Device, DeviceChange } from '@isotherm/contract/devices.ts'
import { announceDevice } from '../../platform/devices/announce.ts'
import { requestCommand } from '../../platform/devices/commands.ts'
import { type LockedDevice, lockInUse } from '../../platform/devices/lock-device.ts'
import { checkVisibility } from '../../platform/http/check-visibility.ts'
import type { Context } from '../../platform/http/context.ts'
import { getDevice } from './get-device.ts'
import { setLimits } from './set-limits.ts'

/** Changes what the company decides at once; interval and transmission become commands to the device. */
export async function changeDevice(ctx: Context, id: string, change: DeviceChange): Promise<Device> {
  const row = await lockInUse(ctx, id)
  const before = await getDevice(ctx, id)
  checkVisibility(ctx, before.visibility, change.visibility)
  const now = ctx.clock.now()
  await ctx.tx
    .updateTable('devices')
    .set({
      name: change.name ?? row.name,
      tag: change.tag === undefined ? row.tag : change.tag,
      visibility: change.visibility ?? row.visibility,
      updated_at: now,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', row.id)
    .execute()
  if (change.limits) await setLimits(ctx.tx, { companyId: ctx.companyId, id: row.id }, limitsOf(change.limits), now)
  await requestCommands(ctx, row, change)
  const after = await getDevice(ctx, id)
  ctx.audit({
    action: 'devices.changed',
    target: { kind: 'device', id: String(row.id), name: row.name },
    before: settingsOf(before, change),
    after: { ...settingsOf(after, change), ...requestedOf(change) },
  })
  announceDevice(ctx, row.id, 'settings', (change.visibility ?? row.visibility) === 'private')
  return after
}

async function requestCommands(ctx: Context, row: LockedDevice, { intervalS, transmission }: DeviceChange) {
  const about = { companyId: ctx.companyId, deviceId: row.id, userId: ctx.person.id, now: ctx.clock.now() }
  if (intervalS !== undefined)
    await requestCommand(ctx.tx, about, { kind: 'interval', value: { intervalS } }, { intervalS: row.interval_s })
  if (transmission !== undefined)
    await requestCommand(
      ctx.tx,
      about,
      { kind: 'transmission', value: { state: transmission } },
      { state: row.transmission },
    )
}

/** The settings in a change that the company decides by itself. */
export const settingsOf = (device: Device, change: DeviceChange): Record<string, unknown> =>
  Object.fromEntries(
    (['name', 'tag', 'visibility', 'limits'] as const)
      .filter((key) => change[key] !== undefined)
      .map((key) => [key, device[key]]),
  )

const requestedOf = ({ intervalS, transmission }: DeviceChange) => ({
  ...(intervalS === undefined ? {} : { wishedIntervalS: intervalS }),
  ...(transmission === undefined ? {} : { wishedTransmission: transmission }),
})
