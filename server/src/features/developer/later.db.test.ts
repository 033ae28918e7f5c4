import { expect, test, vi } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany } from '../../../test/factories.ts'
import { aKey } from '../../../test/key-factory.ts'

// Each report is a process of its own, which gives way to everything else that a busy machine does.
vi.setConfig({ testTimeout: 180_000 })

const t = describeApp()
const pipeline = describePipeline(t)
const hourMs = 3_600_000

test('a report that a key asked for is built in its name, mailed to nobody, and loaded by it', async () => {
  const company = await buildCompany(t)
  const now = t.clock.now().getTime()
  const device = await aDevice(t, { ...company, validFrom: new Date(now - 30 * 24 * hourMs) })
  await pipeline.send(device, [{ at: new Date(now - hourMs), temperatureC: 5.5 }])
  const { secret: token } = await aKey(t, company)
  const body = { from: new Date(now - 2 * hourMs).toISOString(), to: new Date(now).toISOString(), format: 'csv' }
  const asked = await t.call('POST', `/devices/${device.id}/history/report`, { token, body })
  expect(asked.status, JSON.stringify(asked.body)).toBe(200)
  // Runs the jobs, too.
  expect(await t.mails()).toEqual([])
  const loaded = await t.call('GET', `/device-reports/${asked.body.payload.id}/file`, { token })
  expect(loaded.status).toBe(200)
  expect(String(loaded.body)).toContain('5.5')
})

test('one that a key asked for which was revoked since is not built', async () => {
  const company = await buildCompany(t)
  const now = t.clock.now().getTime()
  const device = await aDevice(t, { ...company, validFrom: new Date(now - 30 * 24 * hourMs) })
  const key = await aKey(t, company)
  const body = { from: new Date(now - 2 * hourMs).toISOString(), to: new Date(now).toISOString(), format: 'csv' }
  const asked = await t.call('POST', `/devices/${device.id}/history/report`, { token: key.secret, body })
  await t.call('DELETE', `/developer/keys/${key.id}`, { token: key.admin.token })
  await t.runJobs()
  const report = await t.call('GET', `/device-reports/${asked.body.payload.id}`, { token: key.admin.token })
  expect(report.body.payload).toMatchObject({ state: 'failed' })
})
