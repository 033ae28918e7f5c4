import type pg from 'pg'
import { findDifferences } from '../../server/test/recompute.ts'
import { exceptOpenedByClock, findTriggerDifferences } from '../../server/test/recompute-triggers.ts'
import { intervalMs } from '../pipeline/readings.ts'
import type { Stage } from '../pipeline/stage.ts'
import type { KillDevice } from './device.ts'

/** Compares what was acknowledged with what is stored, and rollups, excursions and triggers with a recomputation from the rows. */
export async function verify(stage: Pick<Stage, 'connect'>, devices: KillDevice[]) {
  const client = await stage.connect()
  let [acknowledged, stored, missing, wrong] = [0, 0, 0, 0]
  for (const { device, acknowledged: known } of devices) {
    await client.query('begin; set local role pipeline')
    const { rows } = await client.query<{ at: number; centi: number }>(
      `select (extract(epoch from measured_at) * 1000)::float8 as at, temperature_centi as centi from readings
       where company_id = $1 and device_id = $2`,
      [device.companyId, device.id],
    )
    await client.query('commit')
    const found = new Map<number, number[]>()
    for (const { at, centi } of rows) found.set(at, [...(found.get(at) ?? []), centi])
    for (const [at, centi] of known) {
      const there = found.get(at)
      if (!there) missing++
      else if (there.length !== 1 || there[0] !== centi) wrong++
    }
    acknowledged += known.size
    stored += rows.length
  }
  const conflicts = await verifyConflicts(client, devices)
  const differences = await findDifferences(client)
  for (const difference of differences.slice(0, 5)) console.error(JSON.stringify(difference))
  const amiss = exceptOpenedByClock(await findTriggerDifferences(client, 3 * intervalMs))
  for (const difference of amiss.slice(0, 5)) console.error(JSON.stringify(difference))
  await client.query('begin; set local role pipeline')
  const { rows } = await client.query<{ n: number }>('select count(*)::int as n from alarm_triggers')
  await client.query('commit')
  await client.end()
  const [derived, triggerDifferences] = [differences.length, amiss.length]
  const triggers = rows[0]?.n ?? 0
  return { acknowledged, stored, missing, wrong, ...conflicts, differences: derived, triggers, triggerDifferences }
}

/**
 * Those that were answered must be among what was rejected. One may be there more often than it was sent: a node that hears nothing from the owner of
 * a lane hands it on once more, and only readings are told apart by their instant.
 */
async function verifyConflicts(client: pg.Client, devices: readonly KillDevice[]) {
  let [conflicts, lost, repeated] = [0, 0, 0]
  for (const { device, conflicts: known } of devices) {
    if (known.size === 0) continue
    await client.query('begin; set local role pipeline')
    const { rows } = await client.query<{ at: number; centi: number }>(
      `select (extract(epoch from measured_at) * 1000)::float8 as at,
         round((convert_from(payload, 'UTF8')::jsonb ->> 'temperatureC')::numeric * 100)::int4 as centi
       from ingest_rejected where company_id = $1 and device_id = $2 and code = 'CONFLICT'`,
      [device.companyId, device.id],
    )
    await client.query('commit')
    const found = Map.groupBy(rows, ({ at }) => at)
    for (const [at, { temperatureCenti, tries }] of known) {
      const times = found.get(at)?.filter(({ centi }) => centi === temperatureCenti).length ?? 0
      if (times === 0) lost++
      else if (tries !== null && times > tries) repeated++
    }
    conflicts += known.size
  }
  return { conflicts, conflictsLost: lost, conflictsRepeated: repeated }
}
