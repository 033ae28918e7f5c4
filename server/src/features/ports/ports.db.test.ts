import { beforeEach, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'

const t = describeApp()

let user: TestUser
beforeEach(async () => {
  user = await buildUser(t, { role: 'staff' })
})

const search = async (query: Record<string, string>, reader = user) =>
  (await t.call('GET', '/export/ports', { token: reader.token, query })).body.payload as {
    code: string
    name: string
    type: string
    country: string
  }[]
const codes = async (query: Record<string, string>) => (await search(query)).map(({ code }) => code)

test('a port is found by code, name, alias and word, the best first', async () => {
  expect((await codes({ search: 'zadur' }))[0]).toBe('ZADUR')
  for (const search of ['ZA CPT', 'za-cpt', ' zacpt ']) expect((await codes({ search }))[0]).toBe('ZACPT')
  expect((await codes({ search: 'Ngqura' }))[0]).toBe('ZAZBA')
  expect((await codes({ search: 'gqeberha' }))[0]).toBe('ZAPLZ')
  expect((await codes({ search: 'Lagos', type: 'sea' })).slice(0, 4)).toEqual(
    expect.arrayContaining(['NGAPP', 'NGLKK', 'NGLOS', 'NGTIN']),
  )
  expect((await codes({ search: 'kenyatta' }))[0]).toBe('NBO')
  expect((await codes({ search: 'DNMM' }))[0]).toBe('LOS')
  expect(await codes({ search: 'no such port' })).toEqual([])
})

test('accents and case do not matter', async () => {
  expect((await codes({ search: 'valència' }))[0]).toBe('ESVLC')
  expect(await codes({ search: 'VALENCIA', type: 'sea', country: 'ES' })).toContain('ESVLC')
})

test('a country is found by its name in the reader’s language, and by its code', async () => {
  const reader = await buildUser(t, { locale: 'fr' })
  const french = await search({ search: 'Afrique du Sud', type: 'sea' }, reader)
  expect([...new Set(french.map(({ country }) => country))]).toEqual(['ZA'])
  expect(french.map(({ code }) => code)).toEqual(expect.arrayContaining(['ZADUR', 'ZACPT', 'ZAZBA']))
  const kenyan = await search({ country: 'KE', type: 'air' })
  expect(kenyan.length).toBeGreaterThan(3)
  expect(kenyan.every(({ country, type }) => country === 'KE' && type === 'air')).toBe(true)
})

test('at most 50 are answered, closed ones never; a type that is none is refused', async () => {
  expect(await search({ type: 'air', country: 'US' })).toHaveLength(50)
  await t.pool.query(`update ports set retired_at = now() where code = 'ZARCB'`)
  expect(await codes({ search: 'ZARCB' })).toEqual([])
  const refused = await t.call('GET', '/export/ports', { token: user.token, query: { type: 'river' } })
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['type']])
})
