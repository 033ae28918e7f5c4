import { createPublicKey, verify } from 'node:crypto'
import type { RecordProof } from '@isotherm/contract/proofs.ts'
import { expect, test } from 'vitest'
import { describeApp, describePipeline } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, only, password, setMatrix, type TestUser } from '../../../test/factories.ts'
import { buildGroup } from '../../../test/group-factory.ts'
import { buildRecord } from '../../../test/record-factory.ts'

const t = describeApp()
const pipeline = describePipeline(t)
const minute = 60_000

/** A record of two devices that is over; the second one is private. */
async function finished(state: 'running' | 'ended' = 'ended', visibility: 'private' | 'public' = 'public') {
  const admin = await buildUser(t)
  const { companyId } = admin
  const now = t.clock.now().getTime()
  const [from, to] = [now - 240 * minute, now - 120 * minute]
  const devices = [
    await aDevice(t, { companyId, intervalS: 600, name: 'Vaccine box' }),
    await aDevice(t, { companyId, intervalS: 600, name: 'Second box', visibility }),
  ]
  const readings = Array.from({ length: 12 }, (_, at) => ({ at: new Date(from + at * 10 * minute), temperatureC: 5 }))
  for (const device of devices) await pipeline.send(device, readings)
  const made = await t.call('POST', '/enterprise/record', {
    token: admin.token,
    body: {
      name: 'Trip to Kano',
      deviceIds: devices.map(({ id }) => String(id)),
      startAt: new Date(from).toISOString(),
      ...(state === 'ended' && { endAt: new Date(to).toISOString() }),
    },
  })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  return { admin, devices, id: made.body.payload.id as string }
}

const proofOf = (id: string, { token }: Pick<TestUser, 'token'>) =>
  t.call('GET', `/enterprise/record/${id}/proof`, { token })
const check = (jws: string) => t.call('POST', '/proofs/check', { body: { jws } })

test('a proof says how a record went, and anyone checks it with the published keys alone', async () => {
  const { admin, devices, id } = await finished()
  const details = (await t.call('GET', `/enterprise/record/${id}`, { token: admin.token })).body.payload
  const { contentSha256 } = details
  const signature = { meaning: 'approved', reason: 'All in range', password, contentSha256 }
  const signed = await t.call('POST', `/enterprise/record/${id}/signatures`, { token: admin.token, body: signature })
  expect(signed.status, JSON.stringify(signed.body)).toBe(200)
  const answer = await proofOf(id, admin)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  const proof: RecordProof = answer.body.payload

  const { keys } = (await t.call('GET', '/proofs/keys')).body.payload
  const [head = '', payload = '', mark = ''] = proof.jws.split('.')
  const { kid, alg } = JSON.parse(Buffer.from(head, 'base64url').toString())
  const key = createPublicKey({ key: keys.find((each: { kid: string }) => each.kid === kid), format: 'jwk' })
  expect([alg, verify(null, Buffer.from(`${head}.${payload}`), key, Buffer.from(mark, 'base64url'))]).toEqual([
    'EdDSA',
    true,
  ])
  const statement = JSON.parse(Buffer.from(payload, 'base64url').toString())
  expect(statement).toEqual(proof.statement)
  expect(statement).toMatchObject({
    type: 'isotherm-record-v1',
    company: { id: String(admin.companyId) },
    record: { id, name: 'Trip to Kano' },
    signatures: [{ meaning: 'approved', signerName: admin.fullname, stands: true }],
  })
  expect(statement.devices.map((each: { name: string }) => each.name).sort()).toEqual(['Second box', 'Vaccine box'])
  const box = statement.devices.find((each: { name: string }) => each.name === 'Vaccine box')
  expect(box).toMatchObject({
    hardware: [`${devices[0]?.imei}/1`],
    temperature: { count: 12, min: 5, max: 5, excursions: 0 },
  })
  expect((await check(proof.jws)).body.payload).toMatchObject({ isGenuine: true, fault: null, statement })
  const trail = await t.call('GET', '/audit-log', { token: admin.token })
  expect(JSON.stringify(trail.body)).toContain('records.proved')
})

test('a proof whose content was changed is not genuine, and nothing of it is repeated', async () => {
  const { admin, id } = await finished()
  const { jws } = (await proofOf(id, admin)).body.payload
  const [head, payload, mark] = jws.split('.')
  const text = Buffer.from(payload, 'base64url').toString().replace('Trip to Kano', 'Trip to Jos!')
  const forged = [head, Buffer.from(text).toString('base64url'), mark].join('.')
  expect((await check(forged)).body.payload).toEqual({
    ...{ isGenuine: false, fault: 'signature', statement: null },
    keyId: expect.any(String),
  })
  for (const nonsense of ['x', '<script>alert(1)</script>', '.'.repeat(1000), 'e30.e30.e30'])
    expect((await check(nonsense)).body.payload).toMatchObject({ isGenuine: false, fault: 'malformed' })
  expect((await check('')).status).toBe(422)
  expect((await check('x'.repeat(600_001))).status).toBe(422)
})

test('a record that is not over has no proof, nor one with a private device for others than Admins', async () => {
  const running = await finished('running')
  expect((await proofOf(running.id, running.admin)).body.code).toBe('RECORD_NOT_ENDED')
  const { admin, id } = await finished('ended', 'private')
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  expect((await proofOf(id, manager)).status).toBe(404)
  expect((await proofOf(id, admin)).status).toBe(200)
})

test('a group’s record that somebody sees in part has no proof for them: it would pass for one of the whole', async () => {
  const admin = await buildUser(t)
  const { companyId } = admin
  const manager = await buildUser(t, { company: admin, role: 'manager' })
  const devices = [await aDevice(t, { companyId }), await aDevice(t, { companyId, visibility: 'private' })]
  const group = await buildGroup(t, { companyId }, { deviceIds: devices.map(({ id }) => id), userIds: [manager.id] })
  const { id } = await buildRecord(t, {
    companyId,
    groupId: group.id,
    deviceIds: devices.map((one) => one.id),
    state: 'ended',
  })
  expect((await proofOf(id, manager)).body.code).toBe('RECORD_PARTLY_HIDDEN')
  expect((await proofOf(id, admin)).status).toBe(200)
})

test('another company’s record is absent, and who may not export has no proof', async () => {
  const { admin, id } = await finished()
  const other = await buildUser(t)
  expect((await proofOf(id, other)).status).toBe(404)
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  await setMatrix(t, admin.companyId, 'staff', only('devices.view', 'devices.addOrEdit'))
  expect((await proofOf(id, staff)).status).toBe(403)
  expect((await t.call('GET', `/enterprise/record/${id}/proof`)).status).toBe(401)
})
