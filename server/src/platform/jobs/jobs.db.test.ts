import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { describeApp } from '../../../test/describe-app.ts'
import { asLogin } from '../db/transaction.ts'
import type { Job } from '../services.ts'
import { type Jobs, startJobs } from './jobs.ts'

const Note = z.object({ text: z.string() })
const seen: string[] = []

const note: Job<z.infer<typeof Note>> = {
  name: 'test-note',
  payload: Note,
  retryLimit: 3,
  async run(_, { text }) {
    seen.push(text)
    if (text.startsWith('fails')) throw new Error('as it should')
  },
}
const nightly: Job<object> = {
  name: 'test-nightly',
  payload: z.object({}),
  retryLimit: 0,
  cron: '30 2 * * *',
  run: async () => {},
}
const watched: Job<object> = {
  name: 'test-watched',
  payload: z.object({}),
  retryLimit: 2,
  heartbeatS: 30,
  run: async () => {},
}
const list = (...jobs: unknown[]) => jobs as Job<object>[]

let url: string
let jobs: Jobs
const t = describeApp()
beforeAll(async () => {
  url = (t.pool.options as { connectionString: string }).connectionString
  jobs = await startJobs(url, t.services, list(note, nightly, watched))
})
afterAll(() => jobs.stop())

const send = (text: string, end?: string) =>
  asLogin(t.pool, async ({ client }) => {
    await jobs.enqueue(client, note, { text })
    if (end) throw new Error(end)
  })
const jobOf = async (text: string) => {
  const { rows } = await t.pool.query(`select * from pgboss.job where name = 'test-note' and data->>'text' = $1`, [
    text,
  ])
  return rows[0]
}

test('a job runs once its transaction has committed, and never if it has not', async () => {
  await expect(send('rolled back', 'rollback')).rejects.toThrow('rollback')
  await send('committed')
  await vi.waitUntil(() => seen.includes('committed'), { timeout: 30_000 })
  await vi.waitUntil(async () => (await jobOf('committed')).state === 'completed', { timeout: 30_000 })
  expect(await jobOf('rolled back')).toBeUndefined()
  expect(seen).toEqual(['committed'])
})

test('a job of which somebody waits tells that it lives; others are tried again after a quarter of an hour', async () => {
  const { rows } = await t.pool.query(
    `select name, heartbeat_seconds as "heartbeatS", expire_seconds as "expireS" from pgboss.queue where name = any($1) order by name`,
    [['test-note', 'test-watched']],
  )
  expect(rows).toEqual([
    { name: 'test-note', heartbeatS: null, expireS: 900 },
    { name: 'test-watched', heartbeatS: 30, expireS: 900 },
  ])
})

test('a job that fails is tried again later, as often as it says', async () => {
  await send('fails once')
  await vi.waitUntil(async () => (await jobOf('fails once')).state === 'retry', { timeout: 30_000 })
  const job = await jobOf('fails once')
  expect(job).toMatchObject({ retry_limit: 3, retry_backoff: true })
  expect(job.start_after.getTime()).toBeGreaterThan(job.started_on.getTime())
})

test('what runs by itself is scheduled, and no longer once the app does not list it', async () => {
  const schedules = async () => (await t.pool.query('select name, cron, timezone from pgboss.schedule')).rows
  expect(await schedules()).toEqual([{ name: 'test-nightly', cron: '30 2 * * *', timezone: 'UTC' }])
  const later = await startJobs(url, t.services, list(note))
  expect(await schedules()).toEqual([])
  await later.stop()
})

test('of two servers on one database each job is run by one, and what runs by itself is scheduled once', async () => {
  const other = await startJobs(url, t.services, list(note, nightly, watched))
  try {
    const texts = Array.from({ length: 40 }, (_, n) => `of two ${n}`)
    await Promise.all(texts.map((text) => send(text)))
    await vi.waitUntil(() => texts.every((text) => seen.includes(text)), { timeout: 60_000 })
    expect(seen.filter((text) => text.startsWith('of two')).sort()).toEqual(texts.toSorted())
    const { rows } = await t.pool.query(`select cron from pgboss.schedule where name = 'test-nightly'`)
    expect(rows).toHaveLength(1)
  } finally {
    await other.stop()
  }
})

test('the tenant’s own role can neither read nor fill the queue', async () => {
  const { rows } = await t.pool.query(
    `select has_schema_privilege('app', 'pgboss', 'USAGE') as app, has_schema_privilege('pipeline', 'pgboss', 'USAGE') as pipeline`,
  )
  expect(rows).toEqual([{ app: false, pipeline: false }])
})
