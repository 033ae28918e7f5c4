import type { RecordDetails, RecordSignature } from '@isotherm/contract/records.ts'
import { describe, expect, test } from 'vitest'
import { changing } from '../../../test/changed.ts'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice, setLimits } from '../../../test/device-factory.ts'
import { withCodes } from '../../../test/factor-factory.ts'
import { buildUser, password } from '../../../test/factories.ts'
import { SentFile } from '../../../test/form.ts'
import { buildHardware } from '../../../test/stock.ts'

const t = describeApp()
const pipeline = describePipeline(t)

const minute = 60_000
const hour = 60 * minute

/** A record of two hours that is over, with readings, limits, a note and a file. */
async function finished() {
  const admin = await buildUser(t)
  const now = t.clock.now().getTime()
  const [from, to] = [now - 4 * hour, now - 2 * hour]
  const device = await aDevice(t, { companyId: admin.companyId, intervalS: 600 })
  const ask = (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH',
    path: string,
    body?: unknown,
    token = admin.token,
  ) => t.call(method, path, { token, ...(body !== undefined && { body }) })
  const readings = [0, 10, 20, 30, 50].map((at) => ({ at: new Date(from + at * minute), temperatureC: 5 }))
  await pipeline.send(device, readings)
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
  const late = (at: number) => pipeline.send(device, [{ at: new Date(from + at * minute), temperatureC: 5 }])
  const changed = async (): Promise<RecordSignature['changed']> => (await details()).signatures.at(-1)?.changed ?? []
  return { admin, device, id, ask, details, sign, late, changed, from, to }
}

/** As who owns the database might, past the walls of the application: its own roles may not change these rows. */
async function past(table: 'readings' | 'record_signatures', text: string, values: unknown[]) {
  const client = await t.pool.connect()
  try {
    await client.query(`begin; alter table ${table} no force row level security`)
    const { rowCount } = await client.query(text, values)
    await client.query(`alter table ${table} force row level security; commit`)
    expect(rowCount).toBe(1)
  } finally {
    client.release()
  }
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

  test('is refused for a quarter of an hour to who got the password wrong ten times, also with the right one', async () => {
    const { sign } = await finished()
    for (let i = 0; i < 10; i += 1) expect((await sign({ password: 'not the password' })).status).toBe(400)
    const refused = await sign()
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '900'])
    t.clock.advance(15 * minute + 1000)
    expect((await sign()).status).toBe(200)
  })

  test('is guessed at ten times, also where the tries are at many records at once', async () => {
    const { device, ask, from, to } = await finished()
    const body = {
      deviceIds: [String(device.id)],
      startAt: new Date(from).toISOString(),
      endAt: new Date(to).toISOString(),
    }
    const ids: string[] = []
    for (let n = 0; n < 14; n += 1)
      ids.push((await ask('POST', '/enterprise/record', { name: `Trip ${n}`, ...body })).body.payload.id)
    const guess = { meaning: 'approved', reason: 'Fine', password: 'not the password' }
    const answers = await Promise.all(ids.map((id) => ask('POST', `/enterprise/record/${id}/signatures`, guess)))
    const codes = answers.map(({ body: { code } }) => code).sort()
    expect(codes).toEqual([...Array(4).fill('TOO_MANY_REQUESTS'), ...Array(10).fill('WRONG_PASSWORD')])
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

  test('without the content seen is given once: sent again it is refused, also once the record has changed', async () => {
    const { details, ask, id, late } = await finished()
    const body = { meaning: 'approved', reason: 'Fine', password }
    const send = () => ask('POST', `/enterprise/record/${id}/signatures`, body)
    const answers = await Promise.all([send(), send(), send()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect((await send()).body.code).toBe('RECORD_SIGNED_SO')
    await late(5)
    expect((await send()).body.code).toBe('RECORD_SIGNED_SO')
    expect((await details()).signatures.map(({ changed }) => changed)).toEqual([['readings']])
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
    const { sign, changed, device, from } = await finished()
    await sign()
    await setLimits(t, device, { temperatureMinC: 2, temperatureMaxC: 4 }, new Date(from - hour))
    expect(await changed()).toEqual(['limits'])
  })

  test('once the interval of its time changes, by which silence is told', async () => {
    const { sign, changed, admin, device, from } = await finished()
    await sign()
    await changing(t.pool, admin.companyId, ({ tx }) =>
      tx
        .insertInto('device_intervals')
        .values({
          company_id: admin.companyId,
          device_id: device.id,
          valid_from: new Date(from + hour),
          interval_s: 60,
        })
        .execute(),
    )
    expect(await changed()).toEqual(['limits'])
  })

  test('once a reading of its time is corrected, or taken away', async () => {
    const { sign, changed, device, from } = await finished()
    await sign()
    const of = [device.id, new Date(from + 10 * minute)]
    const where = 'where device_id = $1 and measured_at = $2'
    const change = (text: string) => past('readings', text, of)
    await change(`update readings set temperature_centi = 501 ${where}`)
    expect(await changed()).toEqual(['readings'])
    await change(`update readings set temperature_centi = 500 ${where}`)
    expect(await changed()).toEqual([])
    await change(`update readings set extra = '{"door": "open"}' ${where}`)
    expect(await changed()).toEqual(['readings'])
    await change(`delete from readings ${where}`)
    expect(await changed()).toEqual(['readings'])
  })

  test('once other hardware is said to have measured, but not by a swap after its time', async () => {
    const { sign, changed, device, ask, from, admin } = await finished()
    await sign()
    const fresh = await buildHardware(t)
    expect((await ask('POST', `/devices/${device.id}/swap`, { newImei: fresh.imei })).status).toBe(200)
    expect(await changed()).toEqual([])
    await changing(t.pool, admin.companyId, ({ tx }) =>
      tx
        .updateTable('assignments')
        .set({ valid_to: new Date(from + hour) })
        .where('device_id', '=', device.id)
        .where('imei', '=', device.imei)
        .execute(),
    )
    expect(await changed()).toEqual(['hardware'])
  })

  test('once an earlier record of its lot is added, that spent some of its budget', async () => {
    const { ask, device, from, to } = await finished()
    const body = (name: string, start: number, end: number) => ({
      name,
      lot: 'VX-9',
      deviceIds: [String(device.id)],
      startAt: new Date(start).toISOString(),
      endAt: new Date(end).toISOString(),
      budget: { aboveC: 4, aboveMinutes: 600 },
    })
    const { id } = (await ask('POST', '/enterprise/record', body('Leg 2', from, to))).body.payload
    const shown = async (): Promise<RecordDetails> => (await ask('GET', `/enterprise/record/${id}`)).body.payload
    const { contentSha256 } = await shown()
    const signed = { meaning: 'approved', reason: 'Fine', password, contentSha256 }
    expect((await ask('POST', `/enterprise/record/${id}/signatures`, signed)).status).toBe(200)
    await pipeline.send(device, [{ at: new Date(from - 90 * minute), temperatureC: 6 }])
    expect((await shown()).signatures[0]?.changed).toEqual([])
    expect((await ask('POST', '/enterprise/record', body('Leg 1', from - 2 * hour, from - hour))).status).toBe(200)
    expect((await shown()).signatures[0]?.changed).toEqual(['budget'])
  })

  test.each([
    ['its reason', `update record_signatures set reason = 'Out of range'`],
    ['its signer', `update record_signatures set signer_name = 'Somebody Else'`],
    ['its time', `update record_signatures set signed_at = signed_at - interval '1 day'`],
    ['what it covers', `update record_signatures set parts = parts - 'readings'`],
  ])('once %s is changed in the database', async (_, text) => {
    const { sign, changed, admin } = await finished()
    await sign()
    await past('record_signatures', `${text} where company_id = $1`, [admin.companyId])
    expect(await changed()).toContain('signature')
  })

  test('once a note or a file is added or taken away; signed anew, the new one stands', async () => {
    const { sign, changed, ask, id, details } = await finished()
    const note = await ask('POST', `/enterprise/record/${id}/notes`, { text: 'Seal intact' })
    await sign()
    await ask('DELETE', `/enterprise/record-notes/${note.body.payload.id}`)
    expect(await changed()).toEqual(['notes'])
    const file = new SentFile('weights.txt', 'weights')
    await ask('POST', `/enterprise/record/${id}/attachments`, { file })
    expect(await changed()).toEqual(['notes', 'attachments'])
    await sign()
    expect((await details()).signatures.map((one) => one.changed)).toEqual([['notes', 'attachments'], []])
  })

  test('not once an addendum is added; one that is signed anew with it is void once the addendum is taken away', async () => {
    const { sign, changed, details, ask, id } = await finished()
    await sign()
    const path = `/enterprise/record/${id}`
    const note = await ask('POST', `${path}/notes`, { text: 'The carrier agrees', kind: 'addendum' })
    const file = new SentFile('weights.csv', 'pallet;kg')
    expect((await ask('POST', `${path}/attachments`, { file, kind: 'addendum' })).body.payload.isAddendum).toBe(true)
    expect(await changed()).toEqual([])
    await sign({ reason: 'With what the carrier says' })
    expect(await changed()).toEqual([])
    await ask('POST', `${path}/notes`, { text: 'Another one', kind: 'addendum' })
    expect((await details()).signatures.map((each) => each.changed)).toEqual([[], []])
    await ask('DELETE', `/enterprise/record-notes/${note.body.payload.id}`)
    expect((await details()).signatures.map((each) => each.changed)).toEqual([[], ['addenda']])
  })

  test('once a note or a file is added, also when it is taken away again', async () => {
    const { sign, changed, ask, id } = await finished()
    await sign()
    t.clock.advance(minute)
    const note = await ask('POST', `/enterprise/record/${id}/notes`, { text: 'Never mind' })
    await ask('DELETE', `/enterprise/record-notes/${note.body.payload.id}`)
    expect(await changed()).toEqual(['notes'])
    const sent = { file: new SentFile('weights.txt', 'weights') }
    const file = await ask('POST', `/enterprise/record/${id}/attachments`, sent)
    await ask('DELETE', `/enterprise/record-attachments/${file.body.payload.id}`)
    expect(await changed()).toEqual(['notes', 'attachments'])
    const [row] = (await ask('GET', '/enterprise/records')).body.payload.data
    expect(row.signature.isVoid).toBe(true)
    t.clock.advance(minute)
    await sign()
    expect(await changed()).toEqual([])
  })
})

test('what would void a signature that the person has not seen is refused; an addendum, and what says nothing of it, is not', async () => {
  const { sign, details, ask, id } = await finished()
  const path = `/enterprise/record/${id}`
  const note = await ask('POST', `${path}/notes`, { text: 'Wet pallets', seenSignatures: 0 })
  const sent = { file: new SentFile('weights.txt', 'weights'), seenSignatures: '0' }
  const file = await ask('POST', `${path}/attachments`, sent)
  expect([note.status, file.status]).toEqual([200, 200])
  await sign()
  const noteAt = `/enterprise/record-notes/${note.body.payload.id}`
  const fileAt = `/enterprise/record-attachments/${file.body.payload.id}`
  const refused = [
    await ask('POST', `${path}/notes`, { text: 'Dry again', seenSignatures: 0 }),
    await ask('POST', `${path}/attachments`, sent),
    await ask('DELETE', `${noteAt}?seenSignatures=0`),
    await ask('DELETE', `${fileAt}?seenSignatures=0`),
  ]
  expect(refused.map(({ body: { code } }) => code)).toEqual(Array(4).fill('RECORD_SIGNED_MEANWHILE'))
  await ask('POST', `${path}/notes`, { text: 'Dry again', kind: 'addendum', seenSignatures: 0 })
  expect((await details()).signatures.map(({ changed }) => changed)).toEqual([[]])
  expect((await ask('DELETE', `${noteAt}?seenSignatures=1`)).status).toBe(200)
  expect((await ask('DELETE', fileAt)).status).toBe(200)
  expect((await details()).signatures.map(({ changed }) => changed)).toEqual([['notes', 'attachments']])
})

describe('a signer with a second factor', () => {
  test('gives its code, or has proved by it who they are of late; the password alone does not sign', async () => {
    const { sign, admin, details } = await finished()
    const { code } = await withCodes(t, admin)
    t.clock.advance(16 * minute)
    expect((await sign()).body.code).toBe('PROOF_NEEDED')
    expect((await sign({ code: '000000' })).body.code).toBe('SECOND_FACTOR_WRONG')
    expect((await sign({ code: code(), password: 'not my password' })).body.code).toBe('WRONG_PASSWORD')
    expect((await details()).signatures).toEqual([])
    expect((await sign({ code: code() })).status).toBe(200)
    const proof = await t.call('POST', '/auth/proof', { token: admin.token, body: { code: code() } })
    expect(proof.status).toBe(200)
    expect((await sign()).status).toBe(200)
  })
})
