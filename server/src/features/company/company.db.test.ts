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
  expect(set.body.payload.ppecb).toEqual(body)
  const cleared = await t.call('PATCH', '/auth/company/ppecb', {
    token: admin.token,
    headers: { 'content-type': 'application/json' },
    body: 'null',
  })
  expect(cleared.body.payload.ppecb).toBeNull()
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
