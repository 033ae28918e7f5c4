import { beforeEach, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aPartner } from '../../../test/dispatch-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()

let admin: TestUser
beforeEach(async () => {
  admin = await buildUser(t)
})

const list = async (query = '', user = admin) =>
  (await t.call('GET', `/dispatch/partners${query}`, { token: user.token })).body.payload.data
const add = (body: object, user = admin) => t.call('POST', '/dispatch/partners', { token: user.token, body })
const change = (id: string, body: object, user = admin) =>
  t.call('PATCH', `/dispatch/partners/${id}`, { token: user.token, body })

const movers = {
  ...{ companyName: 'Cold Movers', companyAddress: '5 Wharf Street', fullName: 'Ada Obi', email: 'Ada@Example.test' },
  ...{ phone: '0803 123 4567', country: 'NG', stateProvince: 'Lagos', lga: 'Apapa' },
}

test('a partner is added, changed and deleted, each with an entry in the trail', async () => {
  const added = (await add(movers)).body.payload
  expect(added).toMatchObject({ ...movers, email: 'ada@example.test', phone: '+2348031234567', version: 1 })
  const changed = (await change(added.id, { version: 1, lga: null, phone: '0809 123 4567' })).body.payload
  expect(changed).toMatchObject({ lga: null, phone: '+2348091234567', companyName: 'Cold Movers', version: 2 })
  expect((await change(added.id, { version: 1, lga: 'Ikeja' })).body.code).toBe('CHANGED_MEANWHILE')
  expect((await t.call('DELETE', `/dispatch/partners/${added.id}`, { token: admin.token })).status).toBe(200)
  expect(await list()).toEqual([])
  const acts = (await trailOf(t, admin.companyId)).map(({ action }) => action)
  expect(acts.filter((action) => action.startsWith('partners.'))).toEqual([
    ...['partners.added', 'partners.changed', 'partners.removed'],
  ])
})

test('what a partner needs is asked for, field by field', async () => {
  const { status, body } = await add({ ...movers, companyName: '', email: 'ada', phone: '1', country: 'Nigeria' })
  expect([status, Object.keys(body.fields).sort()]).toEqual([422, ['companyName', 'country', 'email']])
  expect(Object.keys((await add({ ...movers, phone: '1' })).body.fields)).toEqual(['phone'])
})

test('partners are searched, sorted and exported; another company has none of them, and Staff only looks', async () => {
  await add(movers)
  await add({ ...movers, companyName: '=air', email: 'air@example.test' })
  expect((await list('?sort=-companyName')).map(({ companyName }: typeof movers) => companyName)).toEqual([
    ...['Cold Movers', '=air'],
  ])
  expect(await list('?search=AIR@')).toHaveLength(1)
  const digits = movers.phone.replace(/\D/g, '').slice(-7)
  expect(await list(`?search=${digits.slice(0, 3)}%20-%20${digits.slice(3)}`)).toHaveLength(2)
  const csv = await t.call('GET', '/dispatch/partners/export?search=air', { token: admin.token })
  expect(String(csv.body).split('\r\n')[1]).toContain(`"'=air"`)
  const stranger = await buildUser(t)
  const { id } = await aPartner(t, admin)
  expect(await list('', stranger)).toEqual([])
  expect((await change(id, { version: 1, lga: null }, stranger)).status).toBe(404)
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  expect(await list('', staff)).toHaveLength(3)
  expect((await change(id, { version: 1, lga: null }, staff)).status).toBe(403)
})
