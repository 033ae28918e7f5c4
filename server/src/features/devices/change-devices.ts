import { limitsOf } from '@isotherm/contract/device-limits.ts'
import { announceDevice } from '../../core/devices/announce.ts'
import type { LabelChange } from '../../core/devices/device-changes.ts'
import { updateLabels } from '../../core/devices/device-queries.ts'
import { toCenti } from '../../domain/measures.ts'
import type { Context } from '../../platform/context.ts'
import { settingsOf } from './change-device.ts'
import { addLimits } from './change-queries.ts'

/** Renames, tags and limits many devices at once: what the company decides by itself. */
export async function changeDevices(ctx: Context, all: LabelChange[]): Promise<void> {
  if (all.length === 0) return
  const now = ctx.clock.now()
  const rows = all.map(({ device, change }) => ({
    id: Number(device.id),
    name: change.name ?? device.name,
    tag: change.tag === undefined ? device.tag : change.tag,
  }))
  await updateLabels(ctx, rows, now)
  const limited = all.flatMap(({ device, change: { limits } }) =>
    limits ? [{ id: Number(device.id), limits: limitsOf(limits) }] : [],
  )
  for (let start = 0; start < limited.length; start += maxPerStatement)
    await addLimits(ctx, limited.slice(start, start + maxPerStatement), now)
  for (const each of all) tell(ctx, each)
}

const maxPerStatement = 500
const stored = (value: number | null) => (value === null ? null : toCenti(value) / 100)

function tell(ctx: Context, { device, change }: LabelChange) {
  const limits = change.limits && limitsOf(change.limits)
  const after = {
    ...device,
    ...change,
    limits: limits
      ? {
          temperatureMinC: stored(limits.temperatureMinC),
          temperatureMaxC: stored(limits.temperatureMaxC),
          humidityMinPct: stored(limits.humidityMinPct),
          humidityMaxPct: stored(limits.humidityMaxPct),
        }
      : device.limits,
  }
  ctx.audit({
    action: 'devices.changed',
    target: { kind: 'device', id: device.id, name: device.name },
    before: settingsOf(device, change),
    after: settingsOf(after, change),
  })
  announceDevice(ctx, Number(device.id), 'settings', device.visibility === 'private')
}
