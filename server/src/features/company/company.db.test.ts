import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany, buildUser } from '../../../test/factories.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()

const companyOf = async (token: string) => (await t.call('GET', '/auth/profile', { token })).body.payload.company

test('the first save of the business profile completes the one-time company profile', async () => {
  const admin = await buildUser(t)
  expect((await companyOf(admin.token)).profileCompleted).toBe(false)
  const body = {
    name: 'Frost & Sons',
    industry: 'Pharma',
    city: 'Lagos',
    website: 'https://frost.example',
    taxNumber: 'T1',
  }
  const answer = await t.call('PATCH', '/auth/company/profile', { token: admin.token, body })
  expect(answer.body.payload).toMatchObject({ ...body, profileCompleted: true })
  t.clock.advance(60_000)
  await t.call('PATCH', '/auth/company/profile', { token: admin.token, body: { city: null } })
  const [first, second] = await trailOf(t, admin.companyId)
  expect(first?.after).toMatchObject({ city: 'Lagos', taxNumber: 'T1', profileCompleted: true })
  expect(second).toMatchObject({ before: { city: 'Lagos' }, after: { city: null } })
  expect(Object.keys(second?.after ?? {})).toEqual(['city'])
})

test('chart settings are the company’s: everybody gets them', async () => {
  const company = await buildCompany(t)
  const [admin, staff] = [await buildUser(t, { company }), await buildUser(t, { company, role: 'staff' })]
  const body = { chartType: 'multi', mapType: 'hybrid' }
  expect((await t.call('PATCH', '/auth/company/chartsettings', { token: admin.token, body })).status).toBe(200)
  expect(await companyOf(staff.token)).toMatchObject(body)
  await t.call('PATCH', '/auth/company/chartsettings', { token: admin.token, body: {} })
  expect(await companyOf(staff.token)).toMatchObject(body)
})

test('PPECB details are set, shown and cleared', async () => {
  const admin = await buildUser(t)
  const body = {
    exporterCode: 'E1',
    exporterName: 'Cape Fruit',
    contactPerson: 'Sipho',
    contactEmail: 's@cape.example',
  }
  const set = await t.call('PATCH', '/auth/company/ppecb', { token: admin.token, body })
  const registrations = { ucn: null, cbr: null, phytclean: null, fboCodes: [] }
  expect(set.body.payload.ppecb).toEqual({ ...body, ...registrations })
  // The name alone is needed; codes are kept in upper case.
  const fboCodes = [{ code: 'd0123', kind: 'puc', name: 'Farm' }]
  const more = { exporterName: 'Cape Fruit', ucn: 'UCN-1', fboCodes }
  expect((await t.call('PATCH', '/auth/company/ppecb', { token: admin.token, body: more })).body.payload.ppecb).toEqual(
    {
      ...{ exporterCode: null, contactPerson: null, contactEmail: null, cbr: null, phytclean: null },
      ...{ ...more, fboCodes: [{ code: 'D0123', kind: 'puc', name: 'Farm' }] },
    },
  )
  const wrong = { exporterName: '', fboCodes: [{ code: 'D 1', kind: 'puc', name: null }] }
  const refused = await t.call('PATCH', '/auth/company/ppecb', { token: admin.token, body: wrong })
  expect([refused.status, Object.keys(refused.body.fields).sort()]).toEqual([422, ['exporterName', 'fboCodes.0.code']])
  const cleared = await t.call('PATCH', '/auth/company/ppecb', {
    token: admin.token,
    headers: { 'content-type': 'application/json' },
    body: 'null',
  })
  expect(cleared.body.payload.ppecb).toBeNull()
})

test('PPECB details that were stored before registrations were there are still read', async () => {
  const admin = await buildUser(t)
  const stored = {
    exporterCode: 'E1',
    exporterName: 'Cape Fruit',
    contactPerson: 'Sipho',
    contactEmail: 's@cape.example',
  }
  await t.change(admin.companyId, 'update companies set ppecb = $1', [JSON.stringify(stored)])
  expect((await companyOf(admin.token)).ppecb).toEqual({
    ...stored,
    ...{ ucn: null, cbr: null, phytclean: null, fboCodes: [] },
  })
})

test('business-api tells where the API is, and that there is no key yet', async () => {
  const staff = await buildUser(t, { role: 'staff' })
  const { payload } = (await t.call('GET', '/business-api', { token: staff.token })).body
  expect(payload).toMatchObject({
    company: { id: String(staff.companyId) },
    baseUrl: 'http://localhost:8080/app/api/v1',
    docsUrl: 'http://localhost:8080/app/api/v1/docs',
    key: { state: 'none', hint: null },
  })
})

test('a plan that has run out is shown as expired, one without an end is not', async () => {
  const admin = await buildUser(t)
  expect((await companyOf(admin.token)).subscriptionExpired).toBe(false)
  await t.change(admin.companyId, 'update companies set subscription_until = $1', [t.clock.now()])
  expect((await companyOf(admin.token)).subscriptionExpired).toBe(true)
})
