import { createPool } from '../../server/src/platform/db/pool.ts'
import { inTenant } from '../../server/src/platform/db/transaction.ts'
import { devicesOnMap, ordersOnMap } from '../../server/src/features/order-tracking/tracking-queries.ts'
import { presentMapDevice, presentOnMap } from '../../server/src/features/order-tracking/present.ts'
import { openStage } from '../pipeline/stage.ts'
import { timePlain } from './plain.ts'
import { makeScene } from './scene.ts'

const stage = await openStage({ http: 15_760, mqtt: 15_761 })
try {
  const began = Date.now()
  const { companyId } = await makeScene(stage.client, { orders: 10_000, vehicles: 500, days: Number(process.env.DAYS ?? 10) })
  console.log('scene', Date.now() - began)
  const pool = createPool(stage.databaseUrl, 1, console.error)
  const captured: any[] = []
  pool.on('connect', (client: any) => {
    const query = client.query.bind(client)
    client.query = (q: any, ...more: any[]) => { if (q?.text) captured.push(q); return query(q, ...more) }
  })
  const client0 = await pool.connect(); client0.release()
  await inTenant(pool, companyId, async ({ tx, client }) => {
    const ctx: any = { tx, companyId, person: { role: 'admin' }, clock: { now: () => new Date() } }
    const time = async (name: string, work: () => Promise<any>) => {
      const times: number[] = []
      let r: any
      for (let n = 0; n < 15; n++) { const t = performance.now(); r = await work(); times.push(performance.now() - t) }
      console.log(name, 'best', Math.min(...times).toFixed(1), 'median', times.sort((a, b) => a - b)[7]!.toFixed(1))
      return r
    }
    const rows = await time('ordersOnMap', () => ordersOnMap(ctx, 2000))
    const q = captured.at(-1)
    const told = new Set(rows.flatMap((row: any) => [row.placed_by, row.measured_by]).filter((id: any) => id !== null))
    const devices = await time('devicesOnMap', () => devicesOnMap(ctx, [...told] as number[]))
    await time('present+json', async () => JSON.stringify({ devices: devices.map(presentMapDevice), orders: rows.map(presentOnMap) }))
    console.log(rows.length, devices.length)
    if (process.env.PLAN) console.log((await client.query({ text: `explain (analyze, costs off) ${q.text}`, values: q.values })).rows.map((r: any) => r["QUERY PLAN"]).join("\n"))
  })
  const plain: number[] = []
  for (let n = 0; n < 15; n++) plain.push(await timePlain(stage.client, companyId, 'map'))
  console.log('plain map best', Math.min(...plain).toFixed(1))
  await pool.end()
} finally {
  await stage.stop()
}
