import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany } from '../../../test/factories.ts'
import { signingKeys } from '../config/signing-keys.ts'
import { asLogin, asPipeline, inTenant } from '../db/transaction.ts'
import { type AuditEntry, writeAudit } from './audit.ts'
import { signTrail } from './checkpoint.ts'
import { verifyChain } from './verify-chain.ts'

const t = describeApp()

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
const verify = (companyId: number) => inTenant(t.pool, companyId, ({ tx }) => verifyChain(tx, companyId, { known: [] }))

const whole = (entries: number) => ({ entries, checkpoints: 0, signedTo: null, fault: null })

/** As somebody who owns the database and lowers the wall. */
const tamper = (sql: string, companyId: number) =>
  asLogin(t.pool, async ({ client }) => {
    await client.query('alter table audit_log disable row level security, disable trigger user')
    await client.query('alter table audit_heads disable row level security')
    await client.query(sql, [companyId])
    await client.query('alter table audit_log enable row level security, enable trigger user')
    await client.query('alter table audit_heads enable row level security')
  })

test('a trail nobody touched is whole, whatever its entries hold', async () => {
  expect(await verify(await buildTrail())).toEqual(whole(5))
  expect(await verify((await buildCompany(t)).companyId)).toEqual(whole(0))
})

test('the pipeline can verify and append too', async () => {
  const companyId = await buildTrail()
  await asPipeline(t.pool, ({ tx }) => writeAudit(tx, companyId, about(), entries))
  expect(await asPipeline(t.pool, ({ tx }) => verifyChain(tx, companyId, { known: [] }))).toEqual(whole(8))
})

test.each([
  ['an edited word', `update audit_log set action = 'test.other' where company_id = $1 and seq = 3`, 'edited', 3, 3],
  ['an edited value', `update audit_log set after = '{"b": 2}' where company_id = $1 and seq = 3`, 'edited', 3, 3],
  [
    'another actor',
    `update audit_log set actor = '{"kind": "guest"}' where company_id = $1 and seq = 2`,
    'edited',
    2,
    2,
  ],
  ['another time', `update audit_log set at = at + interval '1 ms' where company_id = $1 and seq = 5`, 'edited', 5, 5],
  ['an emptied value', `update audit_log set before = null where company_id = $1 and seq = 2`, 'edited', 2, 2],
  ['another hash', `update audit_log set hash = sha256('x') where company_id = $1 and seq = 2`, 'edited', 2, 2],
  ['a lost entry', `delete from audit_log where company_id = $1 and seq = 3`, 'missing', 3, 3],
  ['a lost first entry', `delete from audit_log where company_id = $1 and seq = 1`, 'missing', 1, 1],
  ['a cut tail', `delete from audit_log where company_id = $1 and seq = 5`, 'tailCut', 5, 5],
  ['everything gone', `delete from audit_log where company_id = $1`, 'tailCut', 1, 5],
  ['a lost head', `delete from audit_heads where company_id = $1`, 'endMark', 6, null],
  ['another head', `update audit_heads set hash = sha256('x') where company_id = $1`, 'endMark', 6, null],
  [
    'two entries exchanged',
    `update audit_log set seq = -(6 - seq) where company_id = $1 and seq in (2, 4)`,
    'reordered',
    2,
    4,
  ],
  [
    'a copy put in',
    `insert into audit_log (company_id, seq, at, actor, action, origin, prev_hash, hash)
    select company_id, 6, at, actor, action, origin, prev_hash, hash from audit_log where company_id = $1 and seq = 2`,
    'inserted',
    6,
    6,
  ],
])('%s is found, and named', async (_, sql, kind, from, to) => {
  const companyId = await buildTrail()
  await tamper(sql, companyId)
  await tamper('update audit_log set seq = -seq where company_id = $1 and seq < 0', companyId)
  expect((await verify(companyId)).fault).toEqual({ kind, from, to })
})

test('entries moved to another company are found', async () => {
  const [from, to] = [await buildTrail(), (await buildCompany(t)).companyId]
  await tamper(`update audit_log set company_id = ${to} where company_id = $1`, from)
  expect(await verify(to)).toMatchObject({ entries: 0, fault: { from: 1 } })
})

test('neither app nor pipeline can change or delete what was written', async () => {
  const companyId = await buildTrail()
  for (const sql of ['update audit_log set reason = null', 'delete from audit_log', 'truncate audit_log']) {
    await expect(inTenant(t.pool, companyId, ({ client }) => client.query(sql))).rejects.toThrow('permission denied')
    await expect(asPipeline(t.pool, ({ client }) => client.query(sql))).rejects.toThrow('permission denied')
  }
})

test('nobody else changes it either, unless they take the trigger away first', async () => {
  const companyId = await buildTrail()
  await inTenant(t.pool, companyId, async ({ tx }) =>
    signTrail(tx, companyId, {
      keys: await signingKeys(t.services.config.dataDir),
      signed: undefined,
      now: t.clock.now(),
    }),
  )
  for (const table of ['audit_log', 'audit_checkpoints'])
    for (const sql of [`update ${table} set seq = seq`, `delete from ${table}`, `truncate ${table}`])
      await expect(t.pool.query(sql), sql).rejects.toThrow(`${table} is append-only`)
  for (const role of ['app', 'pipeline'])
    for (const table of ['audit_log', 'audit_checkpoints']) {
      const { rows } = await t.pool.query(
        `select array(select privilege_type from information_schema.role_table_grants
          where grantee = $1 and table_name = $2 order by 1)::text[] as may`,
        [role, table],
      )
      expect(rows[0].may).toEqual(['INSERT', 'SELECT'])
    }
})

test('writers at the same time make one chain without gaps', async () => {
  const { companyId } = await buildCompany(t)
  await Promise.all(Array.from({ length: 12 }, () => write(companyId, entries)))
  expect(await verify(companyId)).toEqual(whole(36))
})
