import { csvLimits } from '@isotherm/contract/csv-import.ts'
import { beforeEach, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aContact } from '../../../test/dispatch-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()

let admin: TestUser
let staff: TestUser
beforeEach(async () => {
  admin = await buildUser(t)
  await t.change(admin.companyId, "update companies set country = 'NG'")
  staff = await buildUser(t, { company: admin, role: 'staff' })
})

const list = async (query = '', user = admin) =>
  (await t.call('GET', `/dispatch/contacts${query}`, { token: user.token })).body.payload.data
const search = async (q: string, user = admin) =>
  (await t.call('GET', `/dispatch/contacts/search?q=${encodeURIComponent(q)}`, { token: user.token })).body.payload.map(
    ({ name }: { name: string }) => name,
  )
const add = (body: object, user = admin) => t.call('POST', '/dispatch/contacts', { token: user.token, body })
const change = (id: string, body: object, user = admin) =>
  t.call('PATCH', `/dispatch/contacts/${id}`, { token: user.token, body })
const importCsv = (csv: string, dryRun: boolean, user = admin) =>
  t.call('POST', '/dispatch/contacts/import', { token: user.token, body: { csv, dryRun } })

test('a contact is added, listed, changed and deleted, each with an entry in the trail', async () => {
  const answer = await add({ name: 'Ada Obi', phone: '0803 123 4567', position: { lat: 6.45, lon: 3.39 } })
  expect(answer.body.payload).toMatchObject({
    ...{ name: 'Ada Obi', phone: '+2348031234567', position: { lat: 6.45, lon: 3.39 }, email: null, version: 1 },
  })
  const { id } = answer.body.payload
  const changed = await change(id, { version: 1, company: 'Lagos Clinics', position: null })
  expect(changed.body.payload).toMatchObject({
    company: 'Lagos Clinics',
    phone: '+2348031234567',
    position: null,
    version: 2,
  })
  expect(await list()).toEqual([changed.body.payload])
  expect((await t.call('DELETE', `/dispatch/contacts/${id}`, { token: admin.token })).status).toBe(200)
  expect(await list()).toEqual([])
  expect((await change(id, { version: 3, name: 'Gone' })).status).toBe(404)
  const acts = (await trailOf(t, admin.companyId)).filter(({ action }) => action.startsWith('contacts.'))
  expect(acts.map(({ action }) => action)).toEqual(['contacts.added', 'contacts.changed', 'contacts.removed'])
  expect(acts[1]?.after).toEqual({ company: 'Lagos Clinics', position: null })
})

test('a change from an older version is refused, and names the contact', async () => {
  const { id } = await aContact(t, admin, { name: 'Ada Obi' })
  expect((await change(id, { version: 1, name: 'Ada Eze' })).status).toBe(200)
  const late = await change(id, { version: 1, name: 'Ada Bello' })
  expect([late.status, late.body.code]).toEqual([400, 'CHANGED_MEANWHILE'])
  expect(late.body.message).toContain('Ada Eze')
})

test('a phone number of no country, or of another one without its code, is refused at its field', async () => {
  for (const phone of ['123', '+999 123 456 789', 'call me']) {
    const { status, body } = await add({ name: 'Ada', phone })
    expect([status, body.fields]).toEqual([422, { phone: ['This phone number is not valid'] }])
  }
  const kenyan = await add({ name: 'Ada', phone: '0712 345678', country: 'KE' })
  expect(kenyan.body.payload.phone).toBe('+254712345678')
})

test('the list is searched and sorted, and finds a phone number however it is written', async () => {
  for (const [name, phone] of [
    ['bola', '+2348031234567'],
    ['Ada', '+2348039999999'],
    ['Chi %', null],
  ] as const)
    await aContact(t, admin, { name, phone, phone_typed: phone, company_name: name === 'Ada' ? 'Clinics' : null })
  const names = async (query: string) => (await list(query)).map(({ name }: { name: string }) => name)
  expect(await names('')).toEqual(['Ada', 'bola', 'Chi %'])
  expect(await names('?sort=-name')).toEqual(['Chi %', 'bola', 'Ada'])
  expect(await names('?search=%25')).toEqual(['Chi %'])
  expect(await names('?search=clinics')).toEqual(['Ada'])
  expect(await names('?search=0803%20123%204567')).toEqual(['bola'])
})

test('somebody who types finds who has that phone number first, and else names', async () => {
  await aContact(t, admin, { name: 'Zainab', phone: '+2348031234567' })
  await aContact(t, admin, { name: 'Adamu', phone: null, phone_typed: null, note: null })
  await aContact(t, admin, { name: 'Mr Adam', phone: null, phone_typed: null })
  expect(await search('0803 123 4567')).toEqual(['Zainab'])
  expect(await search('adam')).toEqual(['Adamu', 'Mr Adam'])
  expect(await search("'; drop table contacts; --")).toEqual([])
  expect((await t.call('GET', '/dispatch/contacts/search', { token: admin.token })).status).toBe(422)
})

test('another company sees nothing and changes nothing; Staff sees, and changes nothing', async () => {
  const { id } = await aContact(t, admin)
  const stranger = await buildUser(t)
  expect(await list('', stranger)).toEqual([])
  expect(await search('Ada', stranger)).toEqual([])
  expect((await change(id, { version: 1, name: 'Mine' }, stranger)).status).toBe(404)
  expect((await t.call('DELETE', `/dispatch/contacts/${id}`, { token: stranger.token })).status).toBe(404)
  expect(await list('', staff)).toHaveLength(1)
  expect((await add({ name: 'Ada' }, staff)).status).toBe(403)
  expect((await change(id, { version: 1, name: 'Mine' }, staff)).status).toBe(403)
  expect((await importCsv('name\nAda', false, staff)).status).toBe(403)
})

test('an export can be imported again, by another company: formulas and commas included', async () => {
  await add({
    name: '=Ada, "A"',
    phone: '0803 123 4567',
    note: 'First line\nsecond',
    position: { lat: -1.5, lon: 36.8 },
  })
  const { body } = await t.call('GET', '/dispatch/contacts/export', { token: admin.token })
  const other = await buildUser(t)
  expect((await importCsv(String(body), false, other)).body.payload).toEqual({
    ...{ applied: true, rows: 1, problems: [], problemsLeftOut: 0 },
  })
  const [copy] = await list('', other)
  const [first] = await list()
  expect({ ...copy, id: '', createdAt: '' }).toEqual({ ...first, id: '', createdAt: '' })
})

test('a file is added whole or not at all; a dry run says the same, in the person’s language, and adds nothing', async () => {
  const french = await buildUser(t, { company: admin, locale: 'fr' })
  const wrong = 'Name;Phone;Lat;Lon;Country\nAda;0803 123 4567;6,45;3,39;ng\nBola;12;;;\n;0803 123 4567;95;3;Nigeria'
  for (const dryRun of [true, false]) {
    const { body } = await importCsv(wrong, dryRun, french)
    expect(body.payload).toMatchObject({ applied: false, rows: 3, problemsLeftOut: 0 })
    expect(body.payload.problems.map(({ row, column }: { row: number; column: string }) => [row, column])).toEqual([
      ...[
        [3, 'phone'],
        [4, 'name'],
        [4, 'lat'],
        [4, 'country'],
      ],
    ])
    expect(body.payload.problems[0].message).toMatch(/numéro/)
  }
  const right = 'name,phone\nAda,0803 123 4567\nBola,'
  expect((await importCsv(right, true)).body.payload).toMatchObject({ applied: false, rows: 2, problems: [] })
  expect(await list()).toEqual([])
  expect((await importCsv(right, false)).body.payload.applied).toBe(true)
  expect((await list()).map(({ name }: { name: string }) => name)).toEqual(['Ada', 'Bola'])
  const acts = (await trailOf(t, admin.companyId)).filter(({ action }) => action.startsWith('contacts.'))
  expect(acts.map(({ action, after }) => [action, after])).toEqual([['contacts.imported', { count: 2 }]])
})

test('a file that is none is refused at its field', async () => {
  for (const csv of ['', 'phone\n1', 'name,colour\nAda,red', 'name\n"Ada', `name\n${'a\n'.repeat(csvLimits.rows + 1)}`])
    expect((await importCsv(csv, false)).status, csv.slice(0, 20)).toBe(422)
})
