import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { booleans, numbers, readInstant, texts } from './pg-arrays.ts'

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await testDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const same = <T>(value: T): T => value
const back = async (type: string, buffer: Buffer) =>
  (await client.query(`select to_json($1::${type}[]) as list`, [buffer])).rows[0].list

test('numbers arrive in PostgreSQL as they were', async () => {
  const kinds = [
    ['int2', -32_768, 32_767],
    ['int4', -2_147_483_648, 2_147_483_647],
    ['int8', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ] as const
  for (const [type, min, max] of kinds)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(fc.integer({ min, max })), { minLength: 1 }), async (values) => {
        const expected = values.every((value) => value === null) ? [] : values
        expect(await back(type, numbers(type, values, same))).toEqual(expected)
      }),
      { numRuns: 50 },
    )
})

test('instants, texts, JSON, bytes and booleans too', async () => {
  const instants = [0, Date.UTC(1999, 11, 31), Date.UTC(2026, 10, 20, 12, 0, 0, 123)]
  const sent = await client.query(
    'select (extract(epoch from unnest($1::timestamptz[])) * 1000)::float8 as at, unnest($2::text[]) as text, unnest($3::jsonb[]) as json, unnest($4::bytea[]) as bytes, unnest($5::bool[]) as flag',
    [
      numbers('timestamptz', instants, same),
      texts('text', ['é', null, ''], same),
      texts('jsonb', ['{"a":1}', null, '[]'], same),
      texts('bytea', [Buffer.from([0, 255]), Buffer.alloc(0), null], same),
      booleans([true, false, true], same),
    ],
  )
  expect(sent.rows).toEqual([
    { at: instants[0], text: 'é', json: { a: 1 }, bytes: Buffer.from([0, 255]), flag: true },
    { at: instants[1], text: null, json: null, bytes: Buffer.alloc(0), flag: false },
    { at: instants[2], text: '', json: [], bytes: null, flag: true },
  ])
})

test('an instant that PostgreSQL sends is read to the millisecond', async () => {
  const at = Date.UTC(2026, 10, 20, 12, 0, 0, 123)
  const { rows } = await client.query('select timestamptz_send($1) as bytes', [new Date(at)])
  expect(readInstant(rows[0].bytes, 0)).toBe(at)
})
