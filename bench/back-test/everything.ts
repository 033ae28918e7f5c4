import { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import type pg from 'pg'
import { conditionsOf } from '../../server/src/domain/alarm-conditions.ts'
import { type Ended, emptyWatch, watch } from '../../server/src/domain/alarm-watch.ts'

/** The plain way: every reading of every device, judged one by one. How many firings it finds. */
export async function judgeEverything(client: pg.Client, rule: object, devices: number, from: Date): Promise<number> {
  const conditions = conditionsOf(AlarmRule.parse(rule), new Map())
  let count = 0
  for (let device = 1; device <= devices; device++) {
    await client.query('begin; set local role pipeline')
    const { rows } = await client.query<{ at: number; temperature: number; humidity: number; battery: number }>(
      `select (extract(epoch from measured_at) * 1000)::float8 as at, temperature_centi as temperature,
         humidity_centi as humidity, battery_pct * 100 as battery
       from readings where company_id = 1 and device_id = $1 and measured_at >= $2 order by measured_at`,
      [device, from],
    )
    await client.query('commit')
    const state = emptyWatch()
    const ended: Ended[] = []
    const alarm = { id: '', conditions, schedule: null, from: from.getTime() }
    watch(
      [alarm],
      state,
      rows.map((row) => ({ ...row, fix: null })),
      () => 540_000,
      ended,
    )
    count += ended.length + [...state.firings.values()].filter((firing) => firing.openedAt !== null).length
  }
  return count
}
