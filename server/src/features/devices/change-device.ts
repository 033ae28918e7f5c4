import { limitsOf } from '@isotherm/contract/device-limits.ts'
import type { Device, DeviceChange } from '@isotherm/contract/devices.ts'
import { announceDevice } from '../../core/devices/announce.ts'
import { requestCommand } from '../../core/devices/commands.ts'
import { updateDevice, updateLabels } from '../../core/devices/device-queries.ts'
import { type LockedDevice, lockInUse } from '../../core/devices/lock-device.ts'
import { checkVisibility } from '../../core/visibility/check-visibility.ts'
import type { Context } from '../../platform/context.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import { invalidField } from '../../platform/errors/app-error.ts'
import { addLimits } from './change-queries.ts'
import type { DeviceRow } from './device-queries.ts'
import { findDevice } from './get-device.ts'
import { presentLimits } from './present.ts'

/** Changes what the company decides at once; interval and transmission become commands to the device. Throws NOT_FOUND, DEVICE_DECOMMISSIONED, CHANGED_MEANWHILE or VALIDATION. */
export async function changeDevice(ctx: Context, id: string, { version, ...change }: DeviceChange): Promise<DeviceRow> {
  const row = await lockInUse(ctx, id)
  refuseOutdated(row, version)
  const before = await findDevice(ctx, row.id)
  // Its name is what says in every text, report and message that it is a sample.
  if (row.sample_until && change.name !== undefined && change.name !== row.name)
    throw invalidField('name', 'rule.sampleName')
  checkVisibility(ctx, settings(before).visibility, change.visibility)
  const now = ctx.clock.now()
  const labels = { id: row.id, name: change.name ?? row.name, tag: change.tag === undefined ? row.tag : change.tag }
  await updateLabels(ctx, [labels], now)
  if (change.visibility) await updateDevice(ctx, row.id, { visibility: change.visibility })
  if (change.limits) await addLimits(ctx, [{ id: row.id, limits: limitsOf(change.limits) }], now)
  await requestCommands(ctx, row, change)
  const after = await findDevice(ctx, row.id)
  ctx.audit({
    action: 'devices.changed',
    target: { kind: 'device', id: String(row.id), name: row.name },
    before: settingsOf(settings(before), change),
    after: { ...settingsOf(settings(after), change), ...requestedOf(change) },
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

type Settings = Pick<Device, 'name' | 'tag' | 'visibility' | 'limits'>

const settings = (row: DeviceRow): Settings => ({
  name: row.name,
  tag: row.tag,
  visibility: row.visibility as Settings['visibility'],
  limits: presentLimits(row),
})

/** The settings in a change that the company decides by itself. */
export const settingsOf = (device: Settings, change: DeviceChange): Record<string, unknown> =>
  Object.fromEntries(
    (['name', 'tag', 'visibility', 'limits'] as const)
      .filter((key) => change[key] !== undefined)
      .map((key) => [key, device[key]]),
  )

const requestedOf = ({ intervalS, transmission }: DeviceChange) => ({
  ...(intervalS === undefined ? {} : { wishedIntervalS: intervalS }),
  ...(transmission === undefined ? {} : { wishedTransmission: transmission }),
})
