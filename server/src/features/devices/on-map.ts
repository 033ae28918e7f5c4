import { judgementOf } from '@isotherm/contract/device-limits.ts'
import { deviceStatuses } from '@isotherm/contract/devices.ts'
import { type Fleet, fleetJudgements } from '@isotherm/contract/fleet.ts'
import { hiddenFrom } from '../../core/visibility/visibility.ts'
import { hundredths } from '../../domain/measures.ts'
import type { Context } from '../../platform/context.ts'
import { inTurns, Turns } from '../../platform/loop/turns.ts'
import { inSlices } from './in-slices.ts'
import { type FleetRow, fleetIds, loadFleet } from './map-queries.ts'
import { presentLimits } from './present.ts'

/** Every device the person may see (of a group, if one is given), as the columns that a map and the list beside it need. */
export async function devicesOnMap(ctx: Context, group?: string): Promise<Fleet> {
  const now = ctx.clock.now()
  const rows = await inSlices(await fleetIds(ctx, group), (some) => loadFleet(ctx, some))
  const tags = new Map<string, number>()
  const limitSets: Fleet['limitSets'] = []
  const limitsOf = limitIndex(limitSets)
  const columns = columnsOf([], now, tags, limitsOf)
  for await (const some of inTurns(rows, 500, new Turns({ isShort: true })))
    for (const [name, values] of Object.entries(columnsOf(some, now, tags, limitsOf)))
      (columns[name as keyof typeof columns] as unknown[]).push(...values)
  return { at: now.toISOString(), ...columns, tagNames: [...tags.keys()], limitSets }
}

/** `tags` gets those that are new. */
function columnsOf(
  rows: readonly FleetRow[],
  now: Date,
  tags: Map<string, number>,
  limitsOf: (row: FleetRow) => number | null,
) {
  const shown = rows.map((row) => {
    const hidden = hiddenFrom(row.licence_until)
    return (at: Date | null) => at !== null && (!hidden || at < hidden)
  })
  const column = <T>(of: (row: FleetRow, isShown: (at: Date | null) => boolean) => T): T[] =>
    rows.map((row, i) => of(row, shown[i] ?? (() => false)))
  const value = <T>(of: (row: FleetRow) => T): (T | null)[] =>
    column((row, isShown) => (isShown(row.measured_at) ? of(row) : null))
  const place = (of: (row: FleetRow) => number | null): (number | null)[] =>
    column((row, isShown) => (isShown(row.position_at) ? metre(of(row)) : null))
  for (const { tag } of rows) if (tag !== null && !tags.has(tag)) tags.set(tag, tags.size)
  return {
    ids: column((row) => String(row.id)),
    names: column((row) => row.name),
    tags: column((row) => (row.tag === null ? null : (tags.get(row.tag) ?? null))),
    imeis: column((row) => row.imei),
    statuses: column((row) => deviceStatuses.indexOf(row.status)),
    out: column((row) => (row.out_of_range ? 1 : 0)),
    temperature: value((row) => judged(row.temperature_centi, row.then_temperature_min, row.then_temperature_max)),
    humidity: value((row) => judged(row.humidity_centi, row.then_humidity_min, row.then_humidity_max)),
    limits: column(limitsOf),
    temperatureC: value((row) => hundredths(row.temperature_centi)),
    humidityPct: value((row) => hundredths(row.humidity_centi)),
    ageS: value((row) => Math.round((now.getTime() - (row.measured_at?.getTime() ?? 0)) / 1000)),
    lat: place((row) => row.lat_e7),
    lon: place((row) => row.lon_e7),
  }
}

/** The index of a device's limits among `limitSets`, which gets those that are new: devices share a few, and each is told once. */
function limitIndex(limitSets: Fleet['limitSets']) {
  const known = new Map<string, number>()
  return (row: FleetRow): number | null => {
    const set = presentLimits(row)
    const values = Object.values(set)
    if (values.every((limit) => limit === null)) return null
    const key = values.join()
    const index = known.get(key) ?? limitSets.push(set) - 1
    known.set(key, index)
    return index
  }
}

/** Five decimals of a degree: about a metre. */
const metre = (e7: number | null) => (e7 === null ? null : Math.round(e7 / 100) / 1e5)

function judged(value: number | null, min: number | null, max: number | null): number | null {
  const judgement = judgementOf(value, min, max)
  return judgement && fleetJudgements.indexOf(judgement)
}
