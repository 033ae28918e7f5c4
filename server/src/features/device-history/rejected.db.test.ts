import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { asPipeline } from '../../platform/db/transaction.ts'

const t = describeApp()

test('an Admin sees what was rejected, whatever it holds; nobody else does, nor another company', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, { companyId: admin.companyId, name: 'Fridge' })
  const payloads: [string, Date | null, Buffer][] = [
    ['TOO_OLD', new Date('1970-01-01T00:00:00Z'), Buffer.from('{"temperatureC":4}')],
    // Kept by a version that took such years.
    ['TOO_FAR_AHEAD', new Date(8e15), Buffer.from('{"at":8e15}')],
    ['TOO_OLD', new Date(-1e14), Buffer.from('{"at":-1e14}')],
    ['MALFORMED', null, Buffer.from([0xff, 0x00, 0xfe])],
    ['MALFORMED', null, Buffer.from('é'.repeat(3_000))],
  ]
  await asPipeline(t.pool, ({ tx }) =>
    tx
      .insertInto('ingest_rejected')
      .values(
        payloads.map(([code, measured_at, payload]) => ({
          company_id: admin.companyId,
          device_id: device.id,
          imei: '490154203237518',
          protocol: 'http',
          received_at: t.clock.now(),
          code,
          measured_at,
          payload,
        })),
      )
      .execute(),
  )
  const read = async (token: string, query = {}) => t.call('GET', '/ingest/rejected', { token, query })
  const { status, body } = await read(admin.token)
  expect(status).toBe(200)
  const rows = body.payload.data.toReversed()
  expect(rows.map(({ measuredAt }: { measuredAt: string | null }) => measuredAt)).toEqual([
    '1970-01-01T00:00:00.000Z',
    ...[null, null, null, null],
  ])
  expect(rows[3]).toMatchObject({ payloadIsText: false, payload: '/wD+', deviceName: 'Fridge' })
  expect(rows[4]).toMatchObject({ payloadIsText: true, payloadBytes: 6_000 })
  expect((await read(admin.token, { search: 'too_' })).body.payload.meta.total).toBe(3)
  expect((await read(admin.token, { search: '%' })).body.payload.meta.total).toBe(0)
  expect((await read((await buildUser(t)).token)).body.payload.meta.total).toBe(0)
  for (const role of ['manager', 'staff'] as const)
    expect((await read((await buildUser(t, { company: admin, role })).token)).status).toBe(403)
})
