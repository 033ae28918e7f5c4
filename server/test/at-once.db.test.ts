import { expect, test } from 'vitest'
import { jobs } from '../src/app.ts'
import { changing } from './changed.ts'
import { describeApp } from './describe-app.ts'
import { aDevice } from './device-factory.ts'
import { buildUser, type TestUser } from './factories.ts'
import { lockWaits } from './lock-waits.ts'

// Things that two people, or a person and a job, do at once: each waits for a lock that the test holds.

const t = describeApp()

const hour = 3_600_000
const inHours = (hours: number) => new Date(t.clock.now().getTime() + hours * hour).toISOString()

interface Held {
  /** A statement that locks what all of them want; $1 is the company. */
  hold: string
  /** Changes of somebody else, before they get it; $1 is the company. */
  change?: string
}

/** Begins several things while a lock of the company is held, and lets them go on once all of them wait. */
async function atOnce<T>({ companyId }: { companyId: number }, { hold, change }: Held, begin: () => Promise<T>[]) {
  const { begun } = await changing(t.pool, companyId, async ({ client }) => {
    await client.query(hold, [companyId])
    const begun = begin()
    await lockWaits(t.pool, begun.length)
    if (change) await client.query(change, [companyId])
    return { begun }
  })
  return Promise.all(begun)
}

const ask = (user: TestUser, method: 'POST' | 'PUT' | 'DELETE' | 'PATCH', path: string, body?: object) =>
  t.call(method, path, { token: user.token, ...(body && { body }) })

test('of two servers that take a report at once one builds it', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, admin)
  const period = { from: inHours(-2), to: inHours(-1) }
  const asked = await ask(admin, 'POST', `/devices/${device.id}/history/report`, { ...period, format: 'csv' })
  const build = jobs.find(({ name }) => name === 'device-report')
  const payload = { companyId: admin.companyId, reportId: asked.body.payload.id }
  await atOnce(admin, { hold: 'select from device_reports where company_id = $1 for update' }, () => [
    build?.run(t.services, payload) ?? Promise.reject(new Error('no such job')),
    build?.run(t.services, payload) ?? Promise.reject(new Error('no such job')),
  ])
  const { rows } = await t.pool.query(`select from waiting_jobs where name = 'device-report-mail' and payload = $1`, [
    payload,
  ])
  expect(rows).toHaveLength(1)
})
