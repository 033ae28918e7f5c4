import { beforeEach, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { trailOf } from '../../../test/trail.ts'
import { exportSettingsOf, openCaptureSecret } from '../../core/shipments/export-settings.ts'
import { inTenant } from '../../platform/db/transaction.ts'

const t = describeApp()

let admin: TestUser
beforeEach(async () => {
  admin = await buildUser(t)
})

const secret = 'Bearer kept-to-ourselves'
const wanted = {
  ...{ gs1Prefix: '6001234', gln: '6001234500001', allowsUnverified: true, flightMode: false },
  portGlns: [{ type: 'sea', code: 'NLRTM', name: 'Rotterdam', gln: '8712345000011', glnUnchecked: false }],
  regimes: [{ code: 'EW01', setPointC: -1, loadOutMaxC: 2.5, note: 'Citrus to the EU' }],
  ...{ captureUrl: 'https://epcis.example.test/capture', captureHeader: 'Authorization' },
}
const read = (user = admin) => t.call('GET', '/export/settings', { token: user.token })
const save = (body: object, user = admin) => t.call('PUT', '/export/settings', { token: user.token, body })
const opened = () =>
  inTenant(t.pool, admin.companyId, async ({ tx }) => {
    const settings = await exportSettingsOf({ tx, companyId: admin.companyId })
    return openCaptureSecret(t.services.secret, admin.companyId, settings)
  })

test('settings are those of the beginning until they are saved; two who save at once do not undo one another', async () => {
  expect((await read()).body.payload).toEqual({
    ...{ gs1Prefix: null, gln: null, portGlns: [], regimes: [], allowsUnverified: false, flightMode: true },
    ...{ captureUrl: null, captureHeader: null, hasCaptureSecret: false, version: 0 },
  })
  const saved = (await save({ ...wanted, version: 0 })).body.payload
  expect(saved).toEqual({ ...wanted, hasCaptureSecret: false, version: 1 })
  expect((await save({ ...wanted, version: 0 })).body.code).toBe('CHANGED_MEANWHILE')
  expect((await save({ ...wanted, gln: null, version: 1 })).body.payload).toMatchObject({ gln: null, version: 2 })
})

test('the secret never comes back: not in an answer, not in the trail, not from the database', async () => {
  const answers = [
    await save({ ...wanted, captureSecret: secret, version: 0 }),
    await read(),
    await save({ ...wanted, allowsUnverified: false, version: 1 }),
    await t.call('GET', '/audit-log', { token: admin.token }),
  ]
  expect(answers[0]?.body.payload.hasCaptureSecret).toBe(true)
  expect(answers[2]?.body.payload.hasCaptureSecret).toBe(true)
  const trail = await trailOf(t, admin.companyId)
  expect(trail.filter(({ action }) => action === 'exportSettings.changed')).toHaveLength(2)
  const rows = await t.rows('select to_jsonb(e) as row, capture_secret from export_settings e where company_id = $1', [
    admin.companyId,
  ])
  expect(rows).toHaveLength(1)
  for (const told of [JSON.stringify(answers.map(({ body }) => body)), JSON.stringify(trail), JSON.stringify(rows)]) {
    expect(told).not.toContain('kept-to-ourselves')
    expect(told).not.toContain(Buffer.from(secret).toString('hex'))
  }
  // Left out it stayed, and we can still use it.
  expect(await opened()).toBe(secret)
})

test('a secret goes to its own address and header alone, is removed by null and with the address', async () => {
  await save({ ...wanted, captureSecret: secret, version: 0 })
  const elsewhere = { ...wanted, captureUrl: 'https://other.example.test/capture', version: 1 }
  const refused = await save(elsewhere)
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['captureSecret']])
  expect((await save({ ...wanted, captureHeader: 'X-Key', version: 1 })).status).toBe(422)
  expect(await opened()).toBe(secret)
  expect((await save({ ...elsewhere, captureSecret: 'another' })).body.payload).toMatchObject({ version: 2 })
  expect(await opened()).toBe('another')
  expect((await save({ ...elsewhere, captureUrl: null, version: 2 })).body.payload.hasCaptureSecret).toBe(false)
  expect(await opened()).toBeNull()
})

test('numbers and addresses are checked, at their fields', async () => {
  const faults = async (more: object) => {
    const { status, body } = await save({ ...wanted, version: 0, ...more })
    return [status, Object.keys(body.fields ?? {})]
  }
  expect(await faults({ gs1Prefix: '12345' })).toEqual([422, ['gs1Prefix']])
  expect(await faults({ gln: '6001234500002' })).toEqual([422, ['gln']])
  expect(await faults({ captureUrl: 'http://169.254.169.254/' })).toEqual([422, ['captureUrl']])
  expect(await faults({ captureHeader: 'X Key' })).toEqual([422, ['captureHeader']])
  expect(await faults({ captureHeader: null, captureSecret: 'x' })).toEqual([422, ['captureHeader']])
  const [port] = wanted.portGlns
  expect(await faults({ portGlns: [port, { ...port, code: 'nlrtm' }] })).toEqual([422, ['portGlns.1.code']])
  expect(await faults({ portGlns: [{ ...port, type: 'air' }] })).toEqual([422, ['portGlns.0.code']])
  expect(await faults({ portGlns: [{ ...port, gln: '8712345000012' }] })).toEqual([422, ['portGlns.0.gln']])
  expect(await faults({ portGlns: [{ ...port, gln: '' }] })).toEqual([422, ['portGlns.0.gln']])
  const twice = [...wanted.regimes, ...wanted.regimes]
  expect(await faults({ regimes: twice })).toEqual([422, ['regimes.1.code']])
})

test('numbers of ports are kept with an override, stay where they are left out, and have the port’s own name', async () => {
  const [port] = wanted.portGlns
  const odd = { ...port, name: 'Anything', gln: '8712345000012', glnUnchecked: true }
  const saved = (await save({ ...wanted, portGlns: [odd], version: 0 })).body.payload
  expect(saved.portGlns).toEqual([{ ...odd, name: expect.stringContaining('Rotterdam') }])
  const { portGlns: _left, ...others } = wanted
  expect((await save({ ...others, gln: null, version: 1 })).body.payload.portGlns).toEqual(saved.portGlns)
  expect((await save({ ...wanted, portGlns: [], version: 2 })).body.payload.portGlns).toEqual([])
})

test('Staff reads, and does not save; another company has its own', async () => {
  await save({ ...wanted, version: 0 })
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  expect((await read(staff)).body.payload.gs1Prefix).toBe('6001234')
  expect((await save({ ...wanted, version: 1 }, staff)).status).toBe(403)
  expect((await read(await buildUser(t))).body.payload).toMatchObject({ gs1Prefix: null, version: 0 })
})
