import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { describeApp } from '../../../test/describe-app.ts'
import { asLogin } from '../db/transaction.ts'
import type { Job } from '../services.ts'
import { type Jobs, startJobs } from './jobs.ts'

const Work = z.object({ companyId: z.number(), text: z.string(), isKnown: z.boolean().default(true) })
type Work = z.infer<typeof Work>
/** The jobs that ran, by name: jobs that one test leaves in its queue run beside the next one. */
const ran = new Map<string, string[]>()
const seenOf = ({ name }: { name: string }) => {
  const seen = ran.get(name) ?? []
  ran.set(name, seen)
  return seen
}
const held = new Map<string, PromiseWithResolvers<void>>()

const jobOf = (name: string, more: Partial<Job<Work>> = {}): Job<Work> => ({
  name,
  payload: Work,
  retryLimit: 0,
  async run(_, { text }) {
    seenOf({ name }).push(text)
    await held.get(`${name} ${text}`)?.promise
  },
  ...more,
})
const builds = jobOf('test-builds')
const parallel = jobOf('test-parallel', { concurrency: 2 })
const mails = jobOf('test-mails', { batch: 10 })
const links = jobOf('test-links', { batch: 10, turnOf: () => undefined, isLast: (of) => !of.isKnown })
const posts = jobOf('test-posts', {
  concurrency: 4,
  atMost: { keyOf: ({ companyId }) => String(companyId), everyS: 3_600 },
})

let jobs: Jobs
const t = describeApp()
beforeAll(async () => {
  const url = (t.pool.options as { connectionString: string }).connectionString
  const list = [builds, parallel, mails, links, posts]
  jobs = await startJobs(url, t.services, list)
})
afterEach(() => {
  for (const { resolve } of held.values()) resolve()
  held.clear()
})
afterAll(() => jobs.stop())

/** Enqueued in one transaction: whoever fetches sees all of them or none. */
const enqueue = (job: Job<Work>, work: Omit<Work, 'isKnown'>[] | Work[]) =>
  asLogin(t.pool, async ({ client }) => {
    for (const each of work) await jobs.enqueue(client, job, { isKnown: true, ...each })
  })
const many = (count: number, companyId: number, name: string) =>
  Array.from({ length: count }, (_, index) => ({ companyId, text: `${name}${index}` }))
const until = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout: 60_000 })

test('twenty reports of one company do not delay the report of another one (M7)', async () => {
  const seen = seenOf(builds)
  await enqueue(builds, [...many(20, 2, 'B'), { companyId: 1, text: 'A0' }])
  await until(() => seen.includes('A0'))
  expect(seen.indexOf('A0')).toBeLessThanOrEqual(1)
})

test('the second report of a company is not built while its first one is, that of another company is (M7)', async () => {
  const seen = seenOf(parallel)
  const work = many(3, 2, 'B')
  // Each of them waits: two workers that fetch at the same moment may begin with any of them.
  for (const { text } of work) held.set(`test-parallel ${text}`, Promise.withResolvers())
  await enqueue(parallel, work)
  await until(() => seen.length > 0)
  await enqueue(parallel, [{ companyId: 1, text: 'A0' }])
  await until(() => seen.includes('A0'))
  expect(seen).toEqual([expect.stringMatching(/^B/), 'A0'])
})

test('five hundred mails of one company do not delay the mails of another one (M6)', async () => {
  const seen = seenOf(mails)
  await enqueue(mails, [...many(500, 2, 'B'), ...many(3, 1, 'A')])
  await until(() => seen.length >= 20)
  expect(seen.slice(0, 20)).toEqual(expect.arrayContaining(['A0', 'A1', 'A2']))
})

test('mails to unknown addresses come after a real one, and in batches (M6)', async () => {
  const seen = seenOf(links)
  const unknown = many(300, 0, 'unknown').map((work) => ({ ...work, isKnown: false }))
  await enqueue(links, [...unknown, { companyId: 0, text: 'real', isKnown: true }])
  await until(() => seen.length > 0)
  expect(seen[0]).toBe('real')
  // At one job per poll of half a second these alone would take two and a half minutes.
  await until(() => seen.length === 301)
}, 150_000)

test('a batch settles each of its jobs by itself', async () => {
  const odd: Job<Work> = {
    ...mails,
    async run(_, { text }) {
      if (text === 'F1') throw new Error('as it should')
    },
  }
  const url = (t.pool.options as { connectionString: string }).connectionString
  const other = await startJobs(url, t.services, [{ ...odd, name: 'test-odd' }])
  await asLogin(t.pool, async ({ client }) => {
    for (const work of many(3, 1, 'F'))
      await other.enqueue(client, { ...odd, name: 'test-odd' }, { ...work, isKnown: true })
  })
  const states = async () =>
    (await t.pool.query(`select data ->> 'text' as text, state from pgboss.job where name = 'test-odd' order by 1`))
      .rows
  await vi.waitUntil(async () => (await states()).every(({ state }) => state === 'completed' || state === 'failed'), {
    timeout: 30_000,
  })
  expect(await states()).toEqual([
    { text: 'F0', state: 'completed' },
    { text: 'F1', state: 'failed' },
    { text: 'F2', state: 'completed' },
  ])
  await other.stop()
})

test('posts of one company are bounded in time, and a slow one holds no other company (L13)', async () => {
  const seen = seenOf(posts)
  held.set('test-posts B0', Promise.withResolvers())
  await enqueue(posts, many(50, 2, 'B'))
  await until(() => seen.includes('B0'))
  await enqueue(posts, [
    { companyId: 1, text: 'A0' },
    { companyId: 3, text: 'C0' },
  ])
  await until(() => seen.includes('A0') && seen.includes('C0'))
  expect(seen.filter((text) => text.startsWith('B'))).toEqual(['B0'])
  const { rows } = await t.pool.query(
    `select count(*)::int as n from pgboss.job where name = 'test-posts' and group_id = '2'`,
  )
  expect(rows).toEqual([{ n: 2 }])
})
