import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCompany } from '../../../test/factories.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { asLogin, asRoad, inTenant } from '../db/transaction.ts'
import { type AuditEntry, writeAudit } from './audit.ts'
import { verifyChain } from './verify-chain.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

const about = () => ({
  actor: { kind: 'system' as const, name: 'test' },
  origin: { address: '127.0.0.1', agent: 'Ünicode ✓', requestId: 'r' },
  at: t.clock.now(),
})
const entries: AuditEntry[] = [
  { action: 'test.plain' },
  { action: 'test.full', target: { kind: 'user', id: '1', name: 'Åsa "Q"' }, reason: 'because', before: {}, after: {} },
  {
    action: 'test.values',
    after: { b: 1.5, a: [null, undefined, { z: 1e21, y: -0 }], at: new Date(0), gone: undefined, deep: { '€': '💧' } },
  },
]

/** A company whose trail has five entries. */
async function buildTrail(): Promise<number> {
  const { companyId } = await buildCompany(t)
  await write(companyId, entries)
  await write(companyId, entries.slice(0, 2))
  return companyId
}
const write = (companyId: number, list: AuditEntry[]) =>
  inTenant(t.pool, companyId, ({ tx }) => writeAudit(tx, companyId, about(), list))
const verify = (companyId: number) => inTenant(t.pool, companyId, ({ tx }) => verifyChain(tx, companyId))

/** As somebody who owns the database and lowers the wall. */
const tamper = (sql: string, companyId: number) =>
  asLogin(t.pool, async ({ client }) => {
    await client.query('alter table audit_log disable row level security')
    await client.query('alter table audit_heads disable row level security')
    await client.query(sql, [companyId])
    await client.query('alter table audit_log enable row level security')
    await client.query('alter table audit_heads enable row level security')
  })

test('a trail nobody touched is whole, whatever its entries hold', async () => {
  expect(await verify(await buildTrail())).toEqual({ whole: true, entries: 5 })
  expect(await verify((await buildCompany(t)).companyId)).toEqual({ whole: true, entries: 0 })
})

test('the road can verify and append too', async () => {
  const companyId = await buildTrail()
  await asRoad(t.pool, ({ tx }) => writeAudit(tx, companyId, about(), entries))
  expect(await asRoad(t.pool, ({ tx }) => verifyChain(tx, companyId))).toEqual({ whole: true, entries: 8 })
})

test.each([
  ['an edited word', `update audit_log set action = 'test.other' where company_id = $1 and seq = 3`, 3],
  ['an edited value', `update audit_log set after = '{"b": 2}' where company_id = $1 and seq = 3`, 3],
  ['another actor', `update audit_log set actor = '{"kind": "guest"}' where company_id = $1 and seq = 2`, 2],
  ['another time', `update audit_log set at = at + interval '1 ms' where company_id = $1 and seq = 5`, 5],
  ['an emptied value', `update audit_log set before = null where company_id = $1 and seq = 2`, 2],
  ['a lost entry', `delete from audit_log where company_id = $1 and seq = 3`, 3],
  ['a lost first entry', `delete from audit_log where company_id = $1 and seq = 1`, 1],
  ['a cut tail', `delete from audit_log where company_id = $1 and seq = 5`, 5],
  ['everything gone', `delete from audit_log where company_id = $1`, 1],
  ['a lost head', `delete from audit_heads where company_id = $1`, 6],
  ['two entries exchanged', `update audit_log set seq = -(6 - seq) where company_id = $1 and seq in (2, 4)`, 2],
])('%s is found', async (_, sql, brokenAt) => {
  const companyId = await buildTrail()
  await tamper(sql, companyId)
  await tamper('update audit_log set seq = -seq where company_id = $1 and seq < 0', companyId)
  expect(await verify(companyId)).toMatchObject({ whole: false, brokenAt })
})

test('entries moved to another company are found', async () => {
  const [from, to] = [await buildTrail(), (await buildCompany(t)).companyId]
  await tamper(`update audit_log set company_id = ${to} where company_id = $1`, from)
  expect(await verify(to)).toMatchObject({ whole: false, brokenAt: 1 })
})

test('neither app nor road can change or delete what was written', async () => {
  const companyId = await buildTrail()
  for (const sql of ['update audit_log set reason = null', 'delete from audit_log', 'truncate audit_log']) {
    await expect(inTenant(t.pool, companyId, ({ client }) => client.query(sql))).rejects.toThrow('permission denied')
    await expect(asRoad(t.pool, ({ client }) => client.query(sql))).rejects.toThrow('permission denied')
  }
})

test('writers at the same time make one chain without gaps', async () => {
  const { companyId } = await buildCompany(t)
  await Promise.all(Array.from({ length: 12 }, () => write(companyId, entries)))
  expect(await verify(companyId)).toEqual({ whole: true, entries: 36 })
})
