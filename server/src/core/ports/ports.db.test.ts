import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { distanceM } from '../../domain/sphere.ts'
import { asLogin } from '../../platform/db/transaction.ts'
import { loadPorts } from './load-ports.ts'
import { findPort, zoneOf } from './ports.ts'
import { readPorts } from './ports-file.ts'

const t = describeApp()

const port = (kind: 'sea' | 'air', code: string) => asLogin(t.pool, ({ tx }) => findPort(tx, kind, code))

test.each([
  ['NGAPP', 6.443, 3.377, 'Africa/Lagos'],
  ['NGTIN', 6.434, 3.344, 'Africa/Lagos'],
  ['GHTEM', 5.64, 0.013, 'Africa/Accra'],
  ['KEMBA', -4.056, 39.644, 'Africa/Nairobi'],
  ['ZADUR', -29.873, 31.029, 'Africa/Johannesburg'],
  ['ZACPT', -33.906, 18.435, 'Africa/Johannesburg'],
  ['ZAZBA', -33.801, 25.687, 'Africa/Johannesburg'],
  ['NLRTM', 51.95, 4.14, 'Europe/Amsterdam'],
  ['BEANR', 51.27, 4.34, 'Europe/Brussels'],
  ['ESVLC', 39.444, -0.317, 'Europe/Madrid'],
])('the terminal of %s is where ships are, with its zone', async (code, lat, lon, zone) => {
  const row = await port('sea', code)
  expect(row && distanceM({ lat: row.lat!, lon: row.lon! }, { lat, lon })).toBeLessThan(500)
  expect(row && zoneOf(row)).toBe(zone)
  expect(row?.country).toBe(code.slice(0, 2))
  expect(row?.radius_m).toBeGreaterThanOrEqual(1000)
})

test.each([
  ['LOS', 'DNMM', 'Africa/Lagos', 6.577, 3.321],
  ['NBO', 'HKJK', 'Africa/Nairobi', -1.319, 36.928],
  ['JNB', 'FAOR', 'Africa/Johannesburg', -26.139, 28.246],
  ['ACC', 'DGAA', 'Africa/Accra', 5.605, -0.167],
  ['CDG', 'LFPG', 'Europe/Paris', 49.013, 2.55],
  ['MAD', 'LEMD', 'Europe/Madrid', 40.472, -3.561],
  ['LHR', 'EGLL', 'Europe/London', 51.47, -0.461],
  ['JFK', 'KJFK', 'America/New_York', 40.64, -73.779],
])('the airport %s is there with its ICAO code and its zone', async (code, icao, zone, lat, lon) => {
  const row = await port('air', code)
  expect(row?.aliases).toContain(icao)
  expect([row && zoneOf(row), row && distanceM({ lat: row.lat!, lon: row.lon! }, { lat, lon }) < 3000]).toEqual([
    ...[zone, true],
  ])
})

test('what the packages lack is there, and what is none is not', async () => {
  expect((await port('sea', 'nglkk'))?.name).toBe('Lekki')
  expect((await port('sea', 'US ILG'))?.zone).toBe('America/New_York')
  expect((await port('sea', 'ARRIC'))?.zone).toBe('America/Argentina/Ushuaia')
  for (const code of ['KENBO', 'ZAJNB', 'ANWIL']) expect(await port('sea', code)).toBeUndefined()
  expect(await port('air', 'TSE')).toBeUndefined()
})

test('every port has a code, a country and a zone that are some', async () => {
  const { ports } = await readPorts()
  expect(ports.length).toBeGreaterThan(4800)
  for (const { kind, code, country, zone } of ports) {
    expect(code).toMatch(kind === 'sea' ? /^[A-Z]{2}[A-Z2-9]{3}$/ : /^[A-Z]{3}$/)
    expect(country).toMatch(/^[A-Z]{2}$/)
    if (zone !== null) expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow()
  }
})

test('two servers that start at once load another file once; ports that it has no more are closed, and open again later', async () => {
  const { sha256 } = await readPorts()
  await t.pool.query(`update port_file set sha256 = '\\x00'`)
  await t.pool.query(`insert into ports (kind, code, name, country, source, search)
    values ('sea', 'ZZOLD', 'Old port', 'ZZ', 'sea-ports', '|old port|zzold|')`)
  await t.pool.query(`update ports set name = 'Elsewhere', retired_at = now() where code = 'ZADUR'`)
  const told: object[] = []
  const log = { info: (facts: object) => told.push(facts) } as unknown as typeof t.services.log
  await Promise.all([1, 2].map(() => loadPorts({ ...t.services, log })))
  expect(told).toEqual([{ ports: (await readPorts()).ports.length, closed: 1 }])
  expect((await port('sea', 'ZZOLD'))?.retired_at).toBeInstanceOf(Date)
  expect(await port('sea', 'ZADUR')).toMatchObject({ name: 'Durban', retired_at: null })
  expect((await t.pool.query('select sha256 from port_file')).rows).toEqual([{ sha256 }])
})
