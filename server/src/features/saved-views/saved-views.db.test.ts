import { maxSavedViews } from '@isotherm/contract/saved-views.ts'
import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany, buildUser } from '../../../test/factories.ts'

const t = describeApp()
const screen = '/devices/device-overview'
const view = {
  screen,
  name: 'Late vans',
  search: { search: 'van', status: 'late' },
  columns: { battery: true },
  isShared: false,
}

const save = (token: string, change: object = {}) =>
  t.call('POST', '/saved-views', { token, body: { ...view, ...change } })
const namesFor = async (token: string, of = screen) =>
  (await t.call('GET', `/saved-views?screen=${encodeURIComponent(of)}`, { token })).body.payload.data.map(
    ({ name }: { name: string }) => name,
  )

async function people() {
  const company = await buildCompany(t)
  const of = (role: 'admin' | 'manager' | 'staff') => buildUser(t, { company, role })
  return { admin: await of('admin'), manager: await of('manager'), staff: await of('staff') }
}

test('a person keeps views of a list; saving under the same name replaces one', async () => {
  const { manager, staff } = await people()
  const first = (await save(manager.token)).body.payload
  expect(first).toMatchObject({ name: 'Late vans', search: view.search, columns: view.columns, isOwn: true })
  const second = (await save(manager.token, { search: { status: 'live' } })).body.payload
  expect(second).toMatchObject({ id: first.id, search: { status: 'live' } })
  await save(manager.token, { name: 'Another list', screen: '/groups/$groupId/devices' })
  expect(await namesFor(manager.token)).toEqual(['Late vans'])
  expect(await namesFor(manager.token, '/groups/$groupId/devices')).toEqual(['Another list'])
  expect(await namesFor(staff.token)).toEqual([])
})

test('a shared view is for all of the company, and for no other company', async () => {
  const { admin, manager, staff } = await people()
  const { id } = (await save(manager.token, { isShared: true })).body.payload
  const stranger = await buildUser(t)
  expect([await namesFor(staff.token), await namesFor(stranger.token)]).toEqual([['Late vans'], []])
  const remove = async (token: string) => (await t.call('DELETE', `/saved-views/${id}`, { token })).status
  expect([await remove(stranger.token), await remove(staff.token), await remove(admin.token)]).toEqual([404, 200, 404])
  expect(await namesFor(manager.token)).toEqual([])
})

test('somebody else’s own view is not there, not even for an Admin', async () => {
  const { admin, staff } = await people()
  const { id } = (await save(staff.token)).body.payload
  expect((await t.call('DELETE', `/saved-views/${id}`, { token: admin.token })).status).toBe(404)
  expect(await namesFor(staff.token)).toEqual(['Late vans'])
})

test.each([
  ['screen', { screen: 'https://elsewhere.test' }],
  ['name', { name: ' ' }],
  ['search', { search: { 'a b': 'x' } }],
  ['search', { search: { search: 'x'.repeat(201) } }],
  ['columns', { columns: { battery: 'yes' } }],
])('bad input names its field: %s', async (field, change) => {
  const { token } = await buildUser(t)
  const { status, body } = await save(token, change)
  expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining(`"${field}`)])
})

test('a person keeps a limited number of views, and may still replace one', async () => {
  const { manager } = await people()
  for (let count = 0; count < maxSavedViews; count++)
    expect((await save(manager.token, { name: `View ${count}` })).status).toBe(200)
  const over = await save(manager.token, { name: 'One more' })
  expect([over.status, JSON.stringify(over.body)]).toEqual([422, expect.stringContaining(String(maxSavedViews))])
  expect((await save(manager.token, { name: 'View 0', isShared: true })).status).toBe(200)
})
