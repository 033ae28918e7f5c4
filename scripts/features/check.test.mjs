import { describe, expect, test } from 'vitest'
import { checkFeatures } from './check.mjs'

const faults = (name, text) => checkFeatures(new Map([[`server/src/features/${name}`, text]]))

describe('refused', () => {
  test.each([
    'const rows = await ctx.tx.selectFrom("users").execute()',
    '  .insertInto("users")',
    'await tx.updateTable("users").execute()',
    'tx.deleteFrom(table)',
    'const own = sql`company_id = 1`',
    'await sql<Row>`select 1`.execute(tx)',
    'sql.table(name)',
    'await client.query("select 1")',
    'const { rows } = await pool.query<Row>(text)',
  ])('SQL in a verb: %s', (line) => {
    expect(faults('users/verbs.ts', `// why\n${line}`)).toEqual([expect.stringMatching(/^server\/.*verbs\.ts:2 SQL/)])
  })

  test('SQL in routes, presenters, policies and jobs', () => {
    for (const name of ['routes', 'present', 'policy', 'jobs'])
      expect(faults(`users/${name}.ts`, 'sql`select 1`'), name).toHaveLength(1)
  })

  test('a transaction in routes', () => {
    expect(faults('users/routes.ts', 'asLogin(pool, work)')).toEqual([expect.stringContaining('a route works in')])
  })
})

describe('allowed', () => {
  test.each(['queries.ts', 'member-queries.ts', 'faults-sql.ts', 'users.db.test.ts'])('SQL in %s', (name) => {
    expect(faults(`users/${name}`, 'sql`select 1`')).toEqual([])
  })

  test.each([
    '// the sql`select` of another file',
    '/** Runs `client.query(...)` */',
    "import { heldUntilSql } from '../../core/devices/excursion-sql.ts'",
    "import { sql } from './x.ts'",
    'ctx.query.page',
    'const where = visibleSql(ctx)',
  ])('in a verb: %s', (line) => {
    expect(faults('users/verbs.ts', line)).toEqual([])
  })

  test('SQL outside features', () => {
    expect(checkFeatures(new Map([['server/src/core/people/users.ts', 'sql`select 1`']]))).toEqual([])
  })
})
