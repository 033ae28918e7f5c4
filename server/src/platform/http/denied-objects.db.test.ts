import { beforeAll, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import type { Log } from '../log/log.ts'
import { DeniedObjects } from './denied-objects.ts'
import { createMetrics } from './metrics.ts'

const lines: [Record<string, unknown>, string][] = []
const t = describeApp()
beforeAll(async () => {
  const log = { info: (about: Record<string, unknown>, text: string) => void lines.push([about, text]) }
  t.services.deniedObjects = new DeniedObjects(log as unknown as Log, createMetrics({ ofProcess: false }))
})

test('objects of another company and private ones leave a trace, in bounded number (L21)', async () => {
  const [admin, other] = [await buildUser(t), await buildUser(t)]
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const hidden = await aDevice(t, { companyId: admin.companyId, visibility: 'private' })
  const get = (user: { token: string }) => t.call('GET', `/devices/${hidden.id}`, { token: user.token })
  expect((await get(admin)).status).toBe(200)
  expect(lines).toEqual([])
  expect((await get(staff)).status).toBe(404)
  expect((await get(other)).status).toBe(404)
  const about = { call: 'GET /devices/:id', params: { id: String(hidden.id) }, address: '127.0.0.1' }
  expect(lines).toMatchObject([
    [{ ...about, companyId: admin.companyId, userId: staff.id }, 'an object was denied'],
    [{ ...about, companyId: other.companyId, userId: other.id }, 'an object was denied'],
  ])
  for (let n = 0; n < 20; n += 1) await get(other)
  expect(lines).toHaveLength(6)
  t.clock.advance(60_000)
  await get(other)
  expect(lines.slice(6)).toMatchObject([[{ userId: other.id, unnamedBefore: 16 }, 'an object was denied']])
})
