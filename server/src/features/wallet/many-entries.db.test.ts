import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser } from '../../../test/factories.ts'
import { addUnits, reserveUnits, settleUnits } from '../../core/wallet/wallet-queries.ts'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, countRows } from '../../platform/db/rows.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { entriesIn, listEntries, sumEntries } from './queries.ts'

const t = describeApp()
const dayMs = 86_400_000
const entries = 10_000
const perDay = 200

/** The answer to a question, and how many rows of wallets PostgreSQL read for it: its own count, of this connection alone. */
const counted = <T>(companyId: number, ask: (of: TenantTx) => Promise<T>) =>
  inTenant(t.pool, companyId, async ({ tx }) => {
    const soFar = () => countRows(tx)`
      select coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0)::int as n
      from pg_stat_xact_user_tables where relname in ('wallet_entries', 'wallet_days')`
    const before = await soFar()
    const answer = await ask({ tx, companyId })
    return { answer, read: (await soFar()) - before }
  })

test('10,000 entries: a period is summed up from its days, and a page reads its own entries, not those of the period', async () => {
  const { companyId } = await buildUser(t)
  await t.change(companyId, `update companies set timezone = 'Africa/Lagos' where company_id = $1`, [companyId])
  const first = Date.parse('2025-03-01T09:00:00Z')
  const wallet = { companyId, channel: 'sms' }
  const { id } = await asPipeline(t.pool, ({ client }) =>
    addUnits(client, wallet, 50_000, { kind: 'granted', reference: 'INV-1' }, new Date(first)),
  )
  const spend = (from: number, many: number, day: number) =>
    asPipeline(t.pool, async ({ client }) => {
      const messages = Array.from({ length: many }, (_, n) => ({
        ...{ deliveryId: String(from + n + 1), units: 1 + (n % 3), alarmId: n % 4 === 0 ? null : String(n % 4) },
        at: new Date(first + day * dayMs + n),
      }))
      await reserveUnits(client, wallet, messages, new Date(first))
      for (const { at, deliveryId, ...paid } of messages)
        await settleUnits(client, { ...wallet, ...paid }, deliveryId, at)
    })
  for (let from = 0; from < entries; from += perDay) await spend(from, perDay, from / perDay)
  await t.pool.query('analyze wallet_entries, wallet_days')

  const year = { from: new Date(first - dayMs), to: new Date(first + 364 * dayMs) }
  const sums = await counted(companyId, (of) => sumEntries(of, id, year))
  const all = await counted(companyId, (of) => entriesIn(of, id, year, entries + 10))
  // The sums are those of the entries themselves.
  const settled = all.answer.filter(({ kind }) => kind === 'settled')
  expect(settled).toHaveLength(entries)
  const used = settled.reduce((sum, { units }) => sum - units, 0)
  expect(sums.answer).toMatchObject({ used, bought: 50_000 })
  expect(sums.answer.byDay).toHaveLength(entries / perDay)
  expect(sums.answer.byDay.reduce((sum, { units }) => sum + units, 0)).toBe(used)
  expect(sums.answer.byAlarm.map(({ id: alarm }) => alarm).sort()).toEqual(['1', '2', '3', null])
  expect(sums.answer.byAlarm.reduce((sum, { units }) => sum + units, 0)).toBe(used)
  // Three questions of four alarms on 50 days.
  expect(sums.read).toBeLessThanOrEqual(3 * 4 * 50)

  const page = await counted(companyId, (of) => listEntries(of, id, year, { page: 1, perPage: 25 }))
  expect(page.answer.total).toBe(entries + 1)
  expect(page.answer.rows.map((row) => row.id)).toEqual(
    all.answer
      .slice(-25)
      .reverse()
      .map((row) => row.id),
  )
  expect(page.read).toBeLessThanOrEqual(25 + 4 * 50)
  // Reading them all is what the count would have seen.
  expect(all.read).toBeGreaterThanOrEqual(entries)

  // More entries on the same days are not read.
  for (let n = 0; n < 3; n++) await spend(entries + n * perDay, perDay, n)
  const more = await counted(companyId, (of) => sumEntries(of, id, year))
  expect(more.answer.used).toBeGreaterThan(used)
  expect(more.read).toBe(sums.read)
}, 600_000)

test('a period takes in whole days of the company; a company that moves to another zone keeps the days of its past', async () => {
  const { companyId } = await buildUser(t)
  await t.change(companyId, `update companies set timezone = 'Africa/Lagos' where company_id = $1`, [companyId])
  const wallet = { companyId, channel: 'chat' }
  // Half past midnight in Lagos is still the day before in UTC.
  const at = new Date('2025-06-09T23:30:00Z')
  const { id } = await asPipeline(t.pool, ({ client }) =>
    addUnits(client, wallet, 40, { kind: 'granted', reference: 'INV-2' }, at),
  )
  await asPipeline(t.pool, async ({ client }) => {
    await reserveUnits(client, wallet, [{ deliveryId: '1', units: 7, alarmId: null }], at)
    await settleUnits(client, { ...wallet, units: 7, alarmId: null }, '1', at)
  })
  const byDay = (from: string, to: string) =>
    inTenant(t.pool, companyId, async ({ tx }) => {
      const { used, bought, byDay } = await sumEntries({ tx, companyId }, id, {
        from: new Date(from),
        to: new Date(to),
      })
      return { used, bought, byDay }
    })
  const day = { used: 7, bought: 40, byDay: [{ day: '2025-06-10', units: 7 }] }
  expect(await byDay('2025-06-10T12:00:00Z', '2025-06-10T13:00:00Z')).toEqual(day)
  expect(await byDay('2025-06-08T00:00:00Z', '2025-06-09T22:59:00Z')).toEqual({ used: 0, bought: 0, byDay: [] })
  await t.change(companyId, `update companies set timezone = 'America/New_York' where company_id = $1`, [companyId])
  expect(await byDay('2025-06-10T12:00:00Z', '2025-06-10T13:00:00Z')).toEqual(day)
  const entry = await inTenant(
    t.pool,
    companyId,
    ({ tx }) => allRows<{ n: number }>(tx)`select count(*)::int as n from wallet_days where company_id = ${companyId}`,
  )
  expect(entry).toEqual([{ n: 1 }])
})

test('100,000 entries are one file, without those that only reserve', async () => {
  const user = await buildUser(t)
  const { id } = await asPipeline(t.pool, ({ client }) =>
    addUnits(client, { ...user, channel: 'sms' }, 200_000, { kind: 'granted', reference: 'INV-1' }, t.clock.now()),
  )
  await t.change(
    user.companyId,
    `insert into wallet_entries (company_id, wallet_id, kind, units, balance_after, delivery_id, at, day)
     select company_id, wallet_id, k.kind, case k.kind when 'settled' then -1 else 0 end, 200000 - n, n, at, day
     from wallet_entries e, generate_series(1, 99999) n, (values ('settled'), ('reserved')) k (kind)
     where e.wallet_id = $1 and e.kind = 'granted'`,
    [id],
  )
  const day = (days: number) => new Date(t.clock.now().getTime() + days * dayMs).toISOString()
  const query = { from: day(-1), to: day(1) }
  const { status, body } = await t.call('GET', '/wallet/sms/transactions/export', { token: user.token, query })
  const lines = (body as string).trim().split('\r\n')
  expect([status, lines.length]).toEqual([200, 100_001])
  expect(lines.filter((line) => line.includes('reserved'))).toEqual([])
}, 600_000)
