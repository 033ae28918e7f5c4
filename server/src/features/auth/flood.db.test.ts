import { expect, onTestFinished, test, vi } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser } from '../../../test/factories.ts'
import { sendLink } from '../../platform/auth/mail-links.ts'
import { asLogin } from '../../platform/db/transaction.ts'
import { startJobs } from '../../platform/jobs/jobs.ts'
import type { Services } from '../../platform/services.ts'
import { linkWanted } from './jobs.ts'

const t = describeApp()

test('a flood of forgotten passwords of unknown addresses does not delay a real one (M6)', async () => {
  const { email } = await buildUser(t)
  const asked: unknown[] = []
  const enqueue = t.services.enqueue
  t.services.enqueue = async (_client, job, payload) => {
    expect(job.name).toBe('link-wanted')
    asked.push(payload)
  }
  const forget = (address: string) => t.call('POST', '/auth/forgotpassword', { body: { email: address } })
  const answers = []
  for (let n = 0; n < 300; n++) answers.push(await forget(`nobody${n}@example.test`))
  answers.push(await forget(email))
  t.services.enqueue = enqueue
  expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)

  const seen: string[] = []
  const recorded: typeof linkWanted = {
    ...linkWanted,
    async run(services, payload) {
      seen.push(payload.email)
      await linkWanted.run(services, payload)
    },
  }
  const url = (t.pool.options as { connectionString: string }).connectionString
  const mailed: string[] = []
  const services: Services = {
    ...t.services,
    mailer: { send: async ({ to }) => void mailed.push(to) },
    enqueue: (client, job, payload) => jobs.enqueue(client, job, payload),
  }
  const jobs = await startJobs(url, services, [recorded, sendLink])
  onTestFinished(() => jobs.stop())
  // In one transaction: all of them wait before the first one runs.
  await asLogin(t.pool, async ({ client }) => {
    for (const payload of asked) await jobs.enqueue(client, recorded, recorded.payload.parse(payload))
  })
  await vi.waitUntil(() => mailed.length > 0, { timeout: 30_000 })
  expect(seen[0]).toBe(email)
  expect(mailed).toEqual([email])
  await vi.waitUntil(() => seen.length === 301, { timeout: 60_000 })
})
