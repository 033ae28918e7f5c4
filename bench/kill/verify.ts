import { findDifferences } from '../../server/test/recompute.ts'
import { findTriggerDifferences } from '../../server/test/recompute-triggers.ts'
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
  const differences = await findDifferences(client)
  for (const difference of differences.slice(0, 5)) console.error(JSON.stringify(difference))
  const amiss = await findTriggerDifferences(client, 3 * intervalMs)
  for (const difference of amiss.slice(0, 5)) console.error(JSON.stringify(difference))
  await client.query('begin; set local role pipeline')
  const { rows } = await client.query<{ n: number }>('select count(*)::int as n from alarm_triggers')
  await client.query('commit')
  await client.end()
  const [derived, triggerDifferences] = [differences.length, amiss.length]
  return { acknowledged, stored, missing, wrong, differences: derived, triggers: rows[0]?.n ?? 0, triggerDifferences }
}
