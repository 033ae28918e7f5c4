import { readdir } from 'node:fs/promises'
import type pg from 'pg'
import { type Provider, refusedEnd } from './provider.ts'
import { grantedUnits } from './scene.ts'

/** Messages that must be: of each trigger that opened (or woke, or was escalated) to each recipient of that list by each channel. */
const wantedSql = `
select r.company_id, r.alarm_id, case when r.tier = 2 then 'escalated' when a.name = any($1) then 'unsnoozed' else 'opened' end as event,
  c.channel, coalesce(r.user_id::text, r.address) as whom
from alarm_recipients r join alarms a on a.company_id = r.company_id and a.id = r.alarm_id, unnest(r.channels) as c (channel)`
const notifiedSql = `
select company_id, alarm_id, event, channel, coalesce(user_id::text, address) as whom from deliveries
union all
select company_id, alarm_id, case kind when 'alarmEscalated' then 'escalated' else 'opened' end, 'app', user_id::text
from notifications where kind <> 'wallet'`

export interface Verdict {
  wanted: number
  missing: number
  twice: number
  /** Deliveries neither accepted nor refused for good. */
  unsettled: number
  'taken twice': number
  'sent, not taken': number
  'taken, not sent': number
  'mails missing or twice': number
  refused: number
  'units settled': number
  'segments taken': number
  'units astray': number
}

/** Compares what must be with the tables, the provider's book and the outbox; zero everywhere but in what is counted is right. */
export async function verify(
  client: pg.Client,
  provider: Provider,
  outbox: string,
  snoozed: readonly string[],
): Promise<Verdict> {
  await client.query('begin; set local role pipeline')
  const count = async (sql: string, values: unknown[] = []) =>
    Number((await client.query<{ n: string }>(sql, values)).rows[0]?.n ?? 0)
  // In-app, what woke from a snooze is a line like any that opened.
  const wanted = wantedSql.replace(`'unsnoozed'`, `case when c.channel = 'app' then 'opened' else 'unsnoozed' end`)
  const [all, missing, twice] = [
    await count(`select count(*) as n from (${wanted}) w`, [snoozed]),
    await count(`select count(*) as n from (${wanted} except all (${notifiedSql})) m`, [snoozed]),
    await count(`select count(*) as n from ((${notifiedSql}) except all ${wanted}) m`, [snoozed]),
  ]
  const { rows } = await client.query<{ key: string; channel: string; state: string; units: number; address: string }>(
    'select key, channel, state, units, address from deliveries',
  )
  const wallets = await client.query<{ spent: number; total: number; settled: number; reserved: number }>(
    `select coalesce(sum($1 - balance), 0)::int as spent, coalesce(sum(spent), 0)::int as total, coalesce(sum(reserved), 0)::int as reserved,
       (select coalesce(-sum(units), 0)::int from wallet_entries where kind = 'settled') as settled
     from wallets where kind = 'sms'`,
    [grantedUnits],
  )
  await client.query('rollback')
  const { spent = 0, total = 0, settled = 0, reserved = 0 } = wallets.rows[0] ?? {}
  const keyOf = (key: string) => Buffer.from(key).toString('base64url').slice(0, 200)
  const posted = rows.filter(({ channel }) => channel !== 'mail')
  const accepted = new Set(posted.filter(({ state }) => state === 'accepted').map(({ key }) => keyOf(key)))
  const taken = [...provider.taken.entries()]
  const segments = taken.reduce((sum, [, one]) => sum + one.segments, 0)
  const isRefused = (row: (typeof rows)[number]) => row.channel === 'sms' && row.address.endsWith(refusedEnd)
  const mails = (await readdir(outbox)).filter((name) => name.endsWith('.eml')).length
  const destinations = taken.map(([, { to }]) => to)
  return {
    wanted: all,
    missing,
    twice,
    unsettled: rows.filter((row) => row.state !== (isRefused(row) ? 'failed' : 'accepted')).length,
    'taken twice': destinations.length - new Set(destinations).size + provider.keyless,
    'sent, not taken': [...accepted].filter((key) => !provider.taken.has(key)).length,
    'taken, not sent': taken.filter(([key]) => !accepted.has(key)).length,
    'mails missing or twice': Math.abs(mails - rows.filter(({ channel }) => channel === 'mail').length),
    refused: rows.filter(isRefused).length,
    'units settled': settled,
    'segments taken': segments,
    'units astray': Math.abs(settled - segments) + Math.abs(spent - segments) + Math.abs(total - settled) + reserved,
  }
}
