import { expect, onTestFinished, test, vi } from 'vitest'
import { describeIngest } from '../../test/describe-app.ts'
import { findDifferences } from '../../test/recompute.ts'
import { asPipeline } from '../platform/db/transaction.ts'
import { createLog } from '../platform/log/log.ts'
import { WaitingParts } from './waiting-parts.ts'

const log = createLog('silent')
const errors = vi.spyOn(log, 'error')
const pipeline = describeIngest({ lanes: 1, log })

const start = Date.parse('2026-11-18T00:00:00Z')
const reading = (minute: number) => ({
  at: new Date(start + minute * 60_000).toISOString(),
  temperatureC: minute % 7 < 3 ? 9 : 5,
})

/** Forgets at once what is given out: both writers get the readings of one device. */
function giveOutTwice() {
  const take = WaitingParts.prototype.take
  const spy = vi.spyOn(WaitingParts.prototype, 'take').mockImplementation(function (this: WaitingParts, ...asked) {
    const parts = take.apply(this, asked)
    for (const work of ['short', 'long'] as const) this.done(work, new Map())
    return parts
  })
  onTestFinished(() => spy.mockRestore())
}

/** Nothing is stored until it is released. */
async function holdThePipeline() {
  const client = await pipeline.pool.connect()
  await client.query('begin; lock table readings in exclusive mode')
  return async () => {
    await client.query('commit')
    client.release()
  }
}

async function isWaiting(): Promise<boolean> {
  const { rows } = await pipeline.pool.query(
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  )
  return rows.length > 0
}

test('a device that is given to both writers at once is stored by one after the other, and the log has an error', async () => {
  giveOutTwice()
  const device = await pipeline.device()
  // Two days old, and so the work of the other writer.
  await pipeline.post(device, { readings: Array.from({ length: 60 }, (_, n) => reading(n * 2)) })
  expect(errors).not.toHaveBeenCalled()
  const release = await holdThePipeline()
  const late = pipeline.post(device, { readings: Array.from({ length: 60 }, (_, n) => reading(n * 2 + 1)) })
  await vi.waitUntil(isWaiting, { timeout: 30_000 })
  const latest = pipeline.post(device, reading(3_599))
  await vi.waitUntil(() => errors.mock.calls.length > 0, { timeout: 30_000 })
  await release()
  expect([(await late).answer.accepted, (await latest).answer.accepted]).toEqual([60, 1])
  expect(errors.mock.calls[0]?.[0]).toMatchObject({ device: `${device.companyId}:${device.id}`, lane: 0 })
  expect(await pipeline.readingsOf(device)).toHaveLength(121)
  expect(await asPipeline(pipeline.pool, ({ client }) => findDifferences(client, device))).toEqual([])
})
