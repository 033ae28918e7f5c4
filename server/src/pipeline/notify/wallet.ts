import type { Client } from '../../platform/db/pool.ts'

interface Paid {
  companyId: number
  channel: string
  units: number
  alarmId: string | null
}

const reserveSql = `
with taken as (
  update wallets set reserved = reserved + $3 where company_id = $1 and kind = $2 and balance - reserved >= $3
  returning id, balance)
insert into wallet_entries (company_id, wallet_id, kind, units, balance_after, delivery_id, alarm_id, at)
select $1, id, 'reserved', 0, balance, $4, $5, $6 from taken returning id`

/** Sets units aside for a delivery; false where the wallet has too few. The condition keeps it from going below zero. */
export async function reserveUnits(
  client: Client,
  { companyId, channel, units, alarmId }: Paid,
  deliveryId: string,
  now: Date,
) {
  const { rows } = await client.query(reserveSql, [companyId, channel, units, deliveryId, alarmId, now])
  return rows.length > 0
}

// The unique index lets a delivery end once: whatever is delivered again finds its entry there.
const endSql = (spent: boolean) => `
with entry as (
  insert into wallet_entries (company_id, wallet_id, kind, units, balance_after, delivery_id, alarm_id, at)
  select w.company_id, w.id, '${spent ? 'settled' : 'returned'}', ${spent ? '-$3::int4' : '0'}, w.balance${spent ? ' - $3::int4' : ''}, $4, $5, $6
  from wallets w where w.company_id = $1 and w.kind = $2
  on conflict do nothing returning wallet_id)
update wallets set reserved = reserved - $3::int4${spent ? ', balance = balance - $3::int4' : ''}
where company_id = $1 and id in (select wallet_id from entry)`

/** The provider took it: the units are spent. */
export const settleUnits = (
  client: Client,
  { companyId, channel, units, alarmId }: Paid,
  deliveryId: string,
  now: Date,
) => (units > 0 ? client.query(endSql(true), [companyId, channel, units, deliveryId, alarmId, now]) : undefined)

/** It will never be sent: the units are free again. */
export const returnUnits = (
  client: Client,
  { companyId, channel, units, alarmId }: Paid,
  deliveryId: string,
  now: Date,
) => (units > 0 ? client.query(endSql(false), [companyId, channel, units, deliveryId, alarmId, now]) : undefined)

const toldSql = (mark: string) => `
with told as (update wallets set ${mark} = $3 where company_id = $1 and kind = $2 and ${mark} is null returning company_id, kind, balance - reserved as remaining)
insert into notifications (company_id, user_id, kind, severity, params, at)
select u.company_id, u.id, 'wallet', 'warning', jsonb_build_object('state', $4::text, 'wallet', told.kind, 'remaining', told.remaining), $3
from told join users u on u.company_id = told.company_id and u.role = 'admin' and u.archived_at is null and u.status = 'active'`
const lowSql = `select from wallets where company_id = $1 and kind = $2 and balance - reserved < warn_below`

/** Tells the Admins once that units run low, or have run out, until new ones come. */
export async function tellOfWallet(
  client: Client,
  { companyId, channel }: Paid,
  isEmpty: boolean,
  now: Date,
): Promise<void> {
  if (isEmpty) await client.query(toldSql('empty_told_at'), [companyId, channel, now, 'empty'])
  else if ((await client.query(lowSql, [companyId, channel])).rows.length > 0)
    await client.query(toldSql('low_told_at'), [companyId, channel, now, 'low'])
}
