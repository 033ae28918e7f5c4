import type { Context } from '../../platform/context.ts'
import type { Client } from '../../platform/db/pool.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export const updateWallet = (ctx: Context, id: string, warnBelow: number) =>
  ctx.tx
    .updateTable('wallets')
    .set({ warn_below: warnBelow })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute()

interface Paid {
  companyId: number
  channel: string
  units: number
  alarmId: string | null
}

export type Wallet = Pick<Paid, 'companyId' | 'channel'>

export interface Reservation {
  deliveryId: string
  units: number
  alarmId: string | null
}

const walletSql =
  'select id, balance, balance - reserved as free from wallets where company_id = $1 and kind = $2 for update'
const entriesSql = `
insert into wallet_entries (company_id, wallet_id, kind, units, balance_after, delivery_id, alarm_id, at)
select $1, $2, 'reserved', 0, $3, delivery_id, alarm_id, $4 from unnest($5::int8[], $6::int8[]) as t (delivery_id, alarm_id)`

/**
 * Reserves units for deliveries, in their order, as far as there are any; returns the ids of those that got none. The lock
 * keeps the wallet from going below zero.
 */
export async function reserveUnits(
  client: Client,
  { companyId, channel }: Wallet,
  wanted: readonly Reservation[],
  now: Date,
): Promise<string[]> {
  const { rows } = await client.query<{ id: string; balance: number; free: number }>(walletSql, [companyId, channel])
  const [wallet] = rows
  let left = wallet?.free ?? 0
  const paid = wanted.filter(({ units }) => {
    if (units > left) return false
    left -= units
    return true
  })
  if (wallet && paid.length > 0) {
    await client.query('update wallets set reserved = reserved + $3 where company_id = $1 and id = $2', [
      companyId,
      wallet.id,
      wallet.free - left,
    ])
    const [ids, alarms] = [paid.map(({ deliveryId }) => deliveryId), paid.map(({ alarmId }) => alarmId)]
    await client.query(entriesSql, [companyId, wallet.id, wallet.balance, now, ids, alarms])
  }
  const done = new Set(paid)
  return wanted.flatMap((one) => (done.has(one) ? [] : one.deliveryId))
}

/** Reserves more units for a delivery that has some already; false where there are too few. */
export async function topUp(client: Client, { companyId, channel }: Wallet, units: number): Promise<boolean> {
  const { rowCount } = await client.query(
    'update wallets set reserved = reserved + $3 where company_id = $1 and kind = $2 and balance - reserved >= $3',
    [companyId, channel, units],
  )
  return (rowCount ?? 0) > 0
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

// A company that never had units has no wallet yet: it has run out all the same.
const noWalletSql = 'insert into wallets (company_id, kind) values ($1, $2) on conflict (company_id, kind) do nothing'
const warnOnceSql = (mark: string, more = '') => `
update wallets set ${mark} = $3 where company_id = $1 and kind = $2 and ${mark} is null ${more}
returning (balance - reserved) as remaining`

/**
 * Notes that the Admins are told that units run low, or have run out; returns how many are left. Undefined where they have been told
 * since new ones came.
 */
export async function warnOnce(
  client: Client,
  { companyId, channel }: Wallet,
  isEmpty: boolean,
  now: Date,
): Promise<number | undefined> {
  if (isEmpty) await client.query(noWalletSql, [companyId, channel])
  const sql = isEmpty ? warnOnceSql('empty_told_at') : warnOnceSql('low_told_at', 'and balance - reserved < warn_below')
  const { rows } = await client.query<{ remaining: number }>(sql, [companyId, channel, now])
  return rows[0]?.remaining
}

/** The wallets of a new company, which are empty. */
export const openWallets = (tx: Tx, companyId: number) =>
  tx
    .insertInto('wallets')
    .values((['sms', 'chat'] as const).map((kind) => ({ company_id: companyId, kind })))
    .execute()

/** Why units came in: granted by the desk, or bought, once for each purchase. */
export interface Added {
  kind: 'granted' | 'bought'
  reference: string | null
  purchaseId?: string
}

/** Puts units into a wallet; what was warned of is forgotten. */
export async function addUnits(
  client: Client,
  { companyId, channel }: Wallet,
  units: number,
  { kind, reference, purchaseId = '' }: Added,
  now: Date,
): Promise<{ id: string; balance: number }> {
  const { rows } = await client.query<{ id: string; balance: number }>(
    `insert into wallets (company_id, kind, balance) values ($1, $2, $3)
     on conflict (company_id, kind) do update set balance = wallets.balance + $3, low_told_at = null, empty_told_at = null
     returning id, balance`,
    [companyId, channel, units],
  )
  const [wallet] = rows
  if (!wallet) throw new Error('no wallet')
  await client.query(
    `insert into wallet_entries (company_id, wallet_id, kind, units, balance_after, reference, purchase_id, at)
     values ($1, $2, $3, $4, $5, $6, nullif($7, '')::int8, $8)`,
    [companyId, wallet.id, kind, units, wallet.balance, reference, purchaseId, now],
  )
  return wallet
}

/** Takes units that were bought out of a wallet, at most those that are there and not reserved; returns how many. */
export async function takeUnits(
  client: Client,
  { companyId, channel }: Wallet,
  most: number,
  { reference, purchaseId }: { reference: string; purchaseId: string },
  now: Date,
): Promise<number> {
  const { rows } = await client.query<{ id: string; free: number }>(walletSql, [companyId, channel])
  const [wallet] = rows
  const taken = Math.min(most, Math.max(wallet?.free ?? 0, 0))
  if (!wallet || taken <= 0) return 0
  await client.query(
    `with taken as (
       update wallets set balance = balance - $3 where company_id = $1 and id = $2 returning balance)
     insert into wallet_entries (company_id, wallet_id, kind, units, balance_after, reference, purchase_id, at)
     select $1, $2, 'adjusted', -$3::int4, balance, $4, $5::int8, $6 from taken`,
    [companyId, wallet.id, taken, reference, purchaseId, now],
  )
  return taken
}
