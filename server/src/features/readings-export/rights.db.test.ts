import { get } from 'node:http'
import { limits } from '@isotherm/contract/limits.ts'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, only, setMatrix, type TestUser } from '../../../test/factories.ts'
import { aKey } from '../../../test/key-factory.ts'
import { exportOnce } from '../../../test/readings-export-factory.ts'
import { Partitions } from '../../pipeline/store/partitions.ts'
import { asPipeline } from '../../platform/db/transaction.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const [minute, day] = [60_000, 86_400_000]
let url = ''
beforeAll(async () => {
  url = await t.app.listen({ port: 0, host: '127.0.0.1' })
})
let admin: TestUser
beforeEach(async () => {
  admin = await buildUser(t)
})

type Device = Awaited<ReturnType<typeof aDevice>>
const ago = (minutes: number) => new Date(t.clock.now().getTime() - minutes * minute)
const send = (device: Device, ...temperatures: number[]) =>
  pipeline.send(
    device,
    temperatures.map((temperatureC, n) => ({ at: ago(temperatures.length - n), temperatureC })),
  )
const read = (token: string, query: Record<string, string> = {}) => exportOnce(t, token, query)
const devicesOf = async (token: string, query: Record<string, string> = {}) => [
  ...new Set((await read(token, query)).readings.map(({ deviceId }) => Number(deviceId))),
]

test('who may view devices exports, a key with that permission too; nobody else does', async () => {
  const { companyId } = admin
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const may = await aKey(t, { companyId }, { permissions: ['devices.view'] })
  const mayNot = await aKey(t, { companyId }, { permissions: ['alarms.view'] })
  await setMatrix(t, companyId, 'staff', only('alarms.view'))
  const codes = []
  for (const token of [admin.token, manager.token, staff.token, may.secret, mayNot.secret])
    codes.push((await read(token)).code ?? 200)
  expect(codes).toEqual([200, 200, 'FORBIDDEN', 200, 'FORBIDDEN'])
  expect((await t.call('GET', '/readings/export')).status).toBe(401)
})

test('a private device is for Admins and keys that may see it; as soon as it is not private it comes for all', async () => {
  const { companyId } = admin
  const open = await aDevice(t, { companyId })
  const secret = await aDevice(t, { companyId, visibility: 'private' })
  await send(open, 1)
  await send(secret, 2)
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const plain = await aKey(t, { companyId }, { permissions: ['devices.view'] })
  const seeing = await aKey(t, { companyId }, { permissions: ['devices.view'], seesPrivate: true })
  const both = [open.id, secret.id]
  expect(await devicesOf(admin.token)).toEqual(both)
  expect(await devicesOf(seeing.secret)).toEqual(both)
  expect(await devicesOf(manager.token)).toEqual([open.id])
  expect(await devicesOf(plain.secret)).toEqual([open.id])
  expect((await read(manager.token, { deviceIds: String(secret.id) })).code).toBe('NOT_FOUND')
  const { end } = await read(manager.token)
  t.clock.advance(minute)
  await send(secret, 3)
  await t.change(companyId, `update devices set visibility = 'public' where company_id = $1 and id = $2`, [
    companyId,
    secret.id,
  ])
  // Judged when it is read, not when it came.
  expect(await devicesOf(manager.token, { cursor: end.cursor })).toEqual([secret.id])
})

test('another company’s device, one that is not there and a malformed id are refused; a device that was taken out of use is not', async () => {
  const stranger = await buildUser(t)
  const theirs = await aDevice(t, stranger)
  const own = await aDevice(t, admin)
  await send(own, 4)
  const codes = []
  for (const deviceIds of [String(theirs.id), '999999999', '99999999999', `${own.id},${theirs.id}`, 'x', '', ','])
    codes.push((await read(admin.token, { deviceIds })).status)
  expect(codes).toEqual([404, 404, 404, 404, 422, 422, 422])
  expect((await t.call('DELETE', `/devices/${own.id}`, { token: admin.token, body: {} })).status).toBeLessThan(500)
  expect(await devicesOf(admin.token, { deviceIds: String(own.id) })).toEqual([own.id])
  expect(await devicesOf(stranger.token)).toEqual([])
})

test('it begins where it is asked to, and has the devices that were named', async () => {
  const [one, two] = [await aDevice(t, admin), await aDevice(t, admin)]
  await send(one, 1, 2, 3)
  await send(two, 4)
  const query = { deviceIds: String(one.id), from: ago(2).toISOString() }
  const { readings, end } = await read(admin.token, query)
  expect(readings.map(({ temperatureC }) => temperatureC)).toEqual([2, 3])
  t.clock.advance(minute)
  await send(one, 5)
  await send(two, 6)
  await pipeline.send(one, [{ at: ago(60), temperatureC: 7 }])
  const later = await read(admin.token, { ...query, cursor: end.cursor })
  expect(later.readings.map(({ temperatureC }) => temperatureC)).toEqual([5])
})

test('what a lapsed licence hides is counted and left out', async () => {
  const { companyId } = admin
  const device = await aDevice(t, { companyId })
  await send(device, 1, 2)
  const until = new Date(ago(1.5).getTime() - limits.hiddenAfterLicenceDays * day)
  await t.change(companyId, 'update devices set licence_until = $1 where company_id = $2', [until, companyId])
  const hidden = (one: { cursors: { hidden: number }[] }) => one.cursors.reduce((sum, line) => sum + line.hidden, 0)
  const first = await read(admin.token)
  expect([first.readings.length, hidden(first)]).toEqual([1, 1])
  t.clock.advance(minute)
  await send(device, 3)
  const later = await read(admin.token, { cursor: first.end.cursor })
  expect([later.readings, hidden(later)]).toEqual([[], 1])
})

test('a company whose subscription has expired exports what it has', async () => {
  const device = await aDevice(t, admin)
  await send(device, 1)
  await t.change(admin.companyId, 'update companies set subscription_until = $1', [ago(1)])
  expect(await devicesOf(admin.token)).toEqual([device.id])
})

test('readings that were deleted meanwhile are in no export', async () => {
  const device = await aDevice(t, admin)
  const { end } = await read(admin.token)
  await send(device, 1, 2)
  await t.pool.query(
    'alter table readings disable row level security; alter table readings no force row level security',
  )
  await t.pool.query('delete from readings where company_id = $1 and temperature_centi = 100', [admin.companyId])
  await t.pool.query('alter table readings enable row level security; alter table readings force row level security')
  const { readings } = await read(admin.token, { cursor: end.cursor })
  expect(readings.map(({ temperatureC }) => temperatureC)).toEqual([2])
})

/** Begins an export and takes nothing of it. */
const open = (token: string) =>
  new Promise<{ status: number | undefined; stop(): void; rest(): Promise<string> }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const asked = get(`${url}/app/api/v1/readings/export`, { headers, agent: false }, (answer) => {
      answer.pause()
      const rest = () =>
        new Promise<string>((done) => {
          let text = ''
          answer.on('data', (chunk) => {
            text += chunk
          })
          answer.once('close', () => done(text))
          answer.resume()
        })
      resolve({ status: answer.statusCode, stop: () => asked.destroy(), rest })
    })
    asked.on('error', reject)
  })

/** More than the buffers of both ends of a connection take. */
async function manyReadings({ companyId, id }: Device) {
  const from = ago(1_430)
  // The day before may be in another month.
  await new Partitions(t.pool).ensure([from.getTime()])
  await asPipeline(t.pool, ({ client }) =>
    client.query(
      `insert into readings (company_id, device_id, measured_at, received_at, temperature_centi)
       select $1, $2, $3::timestamptz + n * interval '1 second', $3, 500 from generate_series(1, 80000) n`,
      [companyId, id, from],
    ),
  )
}

test('one of a person or key and two of a company run at once; one that was broken off makes room', async () => {
  const device = await aDevice(t, admin)
  await manyReadings(device)
  const [first, second] = [await aKey(t, admin), await aKey(t, admin)]
  const running = await open(first.secret)
  expect((await read(first.secret)).status).toBe(429)
  const other = await open(second.secret)
  expect([running.status, other.status]).toEqual([200, 200])
  expect((await read(admin.token)).status).toBe(429)
  expect((await read((await buildUser(t)).token)).status).toBe(200)
  running.stop()
  await expect.poll(async () => (await read(admin.token, { limit: '1' })).status).toBe(200)
  other.stop()
})

test('one whose key is revoked meanwhile breaks off, and its caller can tell', async () => {
  const device = await aDevice(t, admin)
  await manyReadings(device)
  const key = await aKey(t, admin, { admin })
  const running = await open(key.secret)
  expect((await t.call('DELETE', `/developer/keys/${key.id}`, { token: admin.token })).status).toBe(200)
  const lines = (await running.rest()).split('\n')
  expect(lines.length).toBeLessThan(80_000)
  expect(lines.filter((line) => line.includes('"hasMore":false'))).toEqual([])
})
