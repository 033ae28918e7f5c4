import { limitsOf } from '@isotherm/contract/device-limits.ts'
import type { Device, DeviceChange } from '@isotherm/contract/devices.ts'
import { sql } from 'kysely'
import { toCenti } from '../../domain/measures.ts'
import { announceDevice } from '../../platform/devices/announce.ts'
import type { Context } from '../../platform/http/context.ts'
import { settingsOf } from './change-device.ts'
import { addLimits } from './set-limits.ts'

export interface LabelChange {
  /** As it is, its row locked by the caller. */
  device: Device
  change: Pick<DeviceChange, 'name' | 'tag' | 'limits'>
}

/** Renames, tags and limits many devices at once: what the company decides by itself. */
export async function changeDevices(ctx: Context, all: LabelChange[]): Promise<void> {
  if (all.length === 0) return
  const now = ctx.clock.now()
  const rows = all.map(({ device, change }) => ({
    id: Number(device.id),
    name: change.name ?? device.name,
    tag: change.tag === undefined ? device.tag : change.tag,
  }))
  await sql`
    update devices d set name = n.name, tag = n.tag, updated_at = ${now}
    from unnest(${rows.map(({ id }) => id)}::int4[], ${rows.map(({ name }) => name)}::text[],
      ${rows.map(({ tag }) => tag)}::text[]) as n (id, name, tag)
    where d.company_id = ${ctx.companyId} and d.id = n.id`.execute(ctx.tx)
  const limited = all.flatMap(({ device, change: { limits } }) =>
    limits ? [{ companyId: ctx.companyId, id: Number(device.id), limits: limitsOf(limits) }] : [],
  )
  for (let start = 0; start < limited.length; start += maxPerStatement)
    await addLimits(ctx.tx, limited.slice(start, start + maxPerStatement), now)
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
