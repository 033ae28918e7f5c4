import type { Period } from '@isotherm/contract/common.ts'
import type { StatsOfDevice } from '@isotherm/contract/stats.ts'
import type { DeviceReader } from '../../core/devices/device-reader.ts'
import { loadIntervals, loadLimits } from '../../core/devices/rule-rows.ts'
import { type Rules, rulesOf } from '../../domain/rules.ts'
import type { Context } from '../../platform/context.ts'
import type { ReportHead } from '../report-head.ts'

export interface ClaimEvent {
  at: number
  recordedAt: number
  zone: string
  kind: string
  source: string
  by: string | null
  place: string | null
  detail: string
}

/** A time in which one holder had what a device measured. */
export interface ClaimStretch {
  device: string
  holder: string
  name: string | null
  from: number
  to: number
  basis: string
  outMs: number
}

/** A device with what its time comes to. */
export interface ClaimDevice {
  id: number
  name: string
  from: number
  until: number
  stats: StatsOfDevice
  rules: Rules
}

/** A file that is kept already and goes into the ZIP as it is. */
export interface KeptFile {
  name: string
  path: string
  sha256: string
}

/** The parts that every claim pack has. Plain data: it goes to another process. */
export interface ClaimParts extends ReportHead {
  devices: ClaimDevice[]
  stretches: ClaimStretch[]
  events: ClaimEvent[]
  files: KeptFile[]
}

/** The devices that the person sees, with their statistics over a period, or over one of their own. */
export async function claimDevices(
  ctx: Context,
  reader: DeviceReader,
  devices: readonly { id: string; name: string; own?: Period }[],
  whole: Period,
): Promise<ClaimDevice[]> {
  const all: ClaimDevice[] = []
  for (const { id, name, own } of devices) {
    const period = own ?? whole
    const stats = await reader.stats(ctx, id, period)
    const rules = rulesOf(await loadLimits(ctx, Number(id)), await loadIntervals(ctx, Number(id)))
    const [from, until] = [Date.parse(period.from), Date.parse(stats.period.to)]
    all.push({ id: Number(id), name, from, until, stats, rules })
  }
  return all
}
