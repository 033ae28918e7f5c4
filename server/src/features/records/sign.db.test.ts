import type { RecordDetails, RecordSignature } from '@isotherm/contract/records.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildDevice } from '../../../test/device-factory.ts'
import { buildUser, password } from '../../../test/factories.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { type TestRoad, withRoad } from '../../../test/with-road.ts'
import { inTenant } from '../../platform/db/transaction.ts'

let t: TestApp
let road: TestRoad
beforeAll(async () => {
  t = await startTestApp()
  road = await withRoad(t)
})
afterAll(async () => {
  await road.close()
  await t.close()
})

const minute = 60_000
const hour = 60 * minute

/** A record of two hours that is over, with readings, limits, a note and a file. */
async function finished() {
  const admin = await buildUser(t)
  const now = t.clock.now().getTime()
  const [from, to] = [now - 4 * hour, now - 2 * hour]
  const device = await buildDevice(t, { companyId: admin.companyId, intervalS: 600 })
  const ask = (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH',
    path: string,
    body?: unknown,
    token = admin.token,
  ) => t.call(method, path, { token, ...(body !== undefined && { body }) })
  const readings = [0, 10, 20, 30, 50].map((at) => ({ at: new Date(from + at * minute), temperatureC: 5 }))
  await road.send(device, readings)
  const made = await ask('POST', '/enterprise/record', {
    name: 'Trip',
    deviceIds: [String(device.id)],
    startAt: new Date(from).toISOString(),
    endAt: new Date(to).toISOString(),
  })
  const { id } = made.body.payload
  const details = async (): Promise<RecordDetails> => (await ask('GET', `/enterprise/record/${id}`)).body.payload
  const sign = async (more: object = {}, token = admin.token) =>
    ask(
      'POST',
      `/enterprise/record/${id}/signatures`,
      {
        meaning: 'approved',
        reason: 'All in range',
        password,
        contentSha256: (await details()).contentSha256,
        ...more,
      },
      token,
    )
  const late = (at: number) => road.send(device, [{ at: new Date(from + at * minute), temperatureC: 5 }])
  const changed = async (): Promise<RecordSignature['changed']> => (await details()).signatures.at(-1)?.changed ?? []
  return { admin, device, id, ask, details, sign, late, changed, from, to }
}

describe('a signature', () => {
  test('tells who, when, what was meant and why, and follows the one before', async () => {
    const { sign, details, admin, ask } = await finished()
    const first = await sign({ meaning: 'reviewed', reason: 'Checked against the waybill' })
    expect(first.status, JSON.stringify(first.body)).toBe(200)
    expect(first.body.payload).toMatchObject({
      meaning: 'reviewed',
      reason: 'Checked against the waybill',
      signerName: admin.fullname,
      signedAt: t.clock.now().toISOString(),
      previousSha256: null,
      changed: [],
    })
    const second = await sign()
    expect(second.body.payload.previousSha256).toBe(first.body.payload.sha256)
    expect((await details()).signatures.map(({ changed }) => changed)).toEqual([[], []])
    const listed = (await ask('GET', '/enterprise/records')).body.payload.data[0]
    expect(listed.signature).toEqual({ meaning: 'approved', signerName: admin.fullname, isVoid: false })
  })

  test('is refused with a wrong password, which the audit trail keeps', async () => {
    const { sign, details, admin } = await finished()
    const refused = await sign({ password: 'not my password' })
    expect([refused.status, refused.body.code]).toEqual([400, 'WRONG_PASSWORD'])
    expect((await details()).signatures).toEqual([])
    const trail = await t.call('GET', '/audit-log', { token: admin.token })
    expect(JSON.stringify(trail.body)).toContain('records.signatureRefused')
  })

  test('is refused for content other than the signer saw, and when sent again', async () => {
    const { sign, details, late, ask, id } = await finished()
    expect((await sign({ contentSha256: 'f'.repeat(64) })).body.code).toBe('RECORD_CHANGED')
    const seen = (await details()).contentSha256
    await late(5)
    expect((await sign({ contentSha256: seen })).body.code).toBe('RECORD_CHANGED')
    const contentSha256 = (await details()).contentSha256
    const body = { meaning: 'approved', reason: 'Fine', password, contentSha256 }
    expect((await ask('POST', `/enterprise/record/${id}/signatures`, body)).status).toBe(200)
    expect((await ask('POST', `/enterprise/record/${id}/signatures`, body)).body.code).toBe('RECORD_CHANGED')
    expect((await details()).signatures).toHaveLength(1)
  })

  test('given twice at once is kept once', async () => {
    const { details, ask, id } = await finished()
    const body = { meaning: 'approved', reason: 'Fine', password, contentSha256: (await details()).contentSha256 }
    const answers = await Promise.all([1, 2, 3].map(() => ask('POST', `/enterprise/record/${id}/signatures`, body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })

  test('is refused on a record that goes on', async () => {
    const { ask, device } = await finished()
    const made = await ask('POST', '/enterprise/record', { name: 'Running', deviceIds: [String(device.id)] })
    const body = { meaning: 'approved', reason: 'Fine', password, contentSha256: '0'.repeat(64) }
    const refused = await ask('POST', `/enterprise/record/${made.body.payload.id}/signatures`, body)
    expect(refused.body.code).toBe('RECORD_NOT_ENDED')
  })

  test('keeps its record from being deleted', async () => {
    const { sign, ask, id } = await finished()
    await sign()
    expect((await ask('DELETE', `/enterprise/record/${id}`)).body.code).toBe('RECORD_SIGNED')
  })

  test('stands when readings outside its time come', async () => {
    const { sign, late, changed } = await finished()
    await sign()
    await late(-10)
    await late(150)
    expect(await changed()).toEqual([])
  })
})

describe('a signature is void', () => {
  test('once a late reading of its time comes, and says so in lists too', async () => {
    const { sign, late, changed, ask } = await finished()
    await sign()
    await late(40)
    expect(await changed()).toEqual(['readings'])
    expect((await ask('GET', '/enterprise/records')).body.payload.data[0].signature.isVoid).toBe(true)
  })

  test('once the limits of its time change', async () => {
    const { sign, changed, admin, device, from } = await finished()
    await sign()
    await inTenant(t.pool, admin.companyId, ({ tx }) =>
      tx
        .insertInto('device_limits')
        .values({
          ...{ company_id: admin.companyId, device_id: device.id, valid_from: new Date(from - hour) },
          ...{ temperature_min_centi: 200, temperature_max_centi: 400 },
        })
        .execute(),
    )
    expect(await changed()).toEqual(['limits'])
  })

  test('once a note or a file is added or taken away; signed anew, the new one stands', async () => {
    const { sign, changed, ask, id, details } = await finished()
    const note = await ask('POST', `/enterprise/record/${id}/notes`, { text: 'Seal intact' })
    await sign()
    await ask('DELETE', `/enterprise/record-notes/${note.body.payload.id}`)
    expect(await changed()).toEqual(['notes'])
    const contentBase64 = Buffer.from('weights').toString('base64')
    await ask('POST', `/enterprise/record/${id}/attachments`, { name: 'weights.txt', contentBase64 })
    expect(await changed()).toEqual(['notes', 'attachments'])
    await sign()
    expect((await details()).signatures.map((one) => one.changed)).toEqual([['notes', 'attachments'], []])
  })
})
