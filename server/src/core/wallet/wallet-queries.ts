import type { Context } from '../../platform/context.ts'
import type { Client } from '../../platform/db/pool.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { writeEvents } from '../events/note-events.ts'

export const updateWallet = (ctx: Context, id: string, warnBelow: number | undefined) =>
  ctx.tx
    .updateTable('wallets')
    .set((eb) => ({ ...(warnBelow === undefined ? {} : { warn_below: warnBelow }), version: eb('version', '+', 1) }))
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
  /** It goes out with an empty wallet, too, as far as the overdraft of the day allows. */
  mayOverdraw?: boolean
}

export interface Reserved {
  /** The ids of those that got none. */
  unpaid: string[]
  /** Below zero on overdraft. */
  left: number
  overdraftPerDay: number
}

/** The day of an instant, by the clock of the company. */
function dayOf(company: string, at: string): string {
  return `(select (${at}::timestamptz at time zone c.timezone)::date from companies c where c.company_id = ${company})`
}

/**
 * Adds what the rows of `entry` bring to the sums of their days. Its statement locks the wallet first: who wrote another day's sum before
 * would wait for one who waits for the wallet.
 */
const intoDays = `
insert into wallet_days (company_id, wallet_id, day, alarm_id, used, bought, entries)
select company_id, wallet_id, day, coalesce(alarm_id, 0), case when kind = 'settled' then -units else 0 end,
  case when kind in ('bought', 'granted') then units else 0 end, 1
from entry where kind <> 'returned'
on conflict (company_id, wallet_id, day, alarm_id) do update set used = wallet_days.used + excluded.used,
  bought = wallet_days.bought + excluded.bought, entries = wallet_days.entries + 1`

const overdraftText = 'coalesce(w.overdraft_units, (select s.overdraft_units from unit_settings s), 0)'
// A company that moves its clock back is still in the day that it was in: else each move would give an overdraft anew.
const walletSql = `
select w.id, w.balance, w.balance - w.reserved as free, ${overdraftText} as "overdraftPerDay",
  case when w.overdrawn_on >= ${dayOf('$1', '$3')} then w.overdrawn_that_day else 0 end as "overdrawnToday"
from wallets w where w.company_id = $1 and w.kind = $2 for update of w`
const reserveSql = `
update wallets set reserved = reserved + $3 where company_id = $1 and id = $2`
const overdrawSql = `
update wallets set reserved = reserved + $3, overdrawn = overdrawn + $4, overdrawn_that_day = $5,
  overdrawn_on = greatest(overdrawn_on, ${dayOf('$1', '$6')})
where company_id = $1 and id = $2`
const entriesSql = `
insert into wallet_entries (company_id, wallet_id, kind, units, balance_after, delivery_id, alarm_id, at, day)
select $1, $2, 'reserved', 0, $3, delivery_id, alarm_id, $4, ${dayOf('$1', '$4')}
from unnest($5::int8[], $6::int8[]) as t (delivery_id, alarm_id)`

interface FreeUnits {
  id: string
  balance: number
  free: number
  overdraftPerDay: number
  overdrawnToday: number
}
const noUnits: FreeUnits = { id: '', balance: 0, free: 0, overdraftPerDay: 0, overdrawnToday: 0 }

/**
 * Reserves units for deliveries, in their order, as far as there are any. The lock keeps the wallet from going below zero, but for
 * the overdraft of deliveries that may overdraw.
 */
export async function reserveUnits(
  client: Client,
  { companyId, channel }: Wallet,
  wanted: readonly Reservation[],
  now: Date,
): Promise<Reserved> {
  const { rows } = await client.query<FreeUnits>(walletSql, [companyId, channel, now])
  const [wallet = noUnits] = rows
  const { overdraftPerDay, overdrawnToday } = wallet
  let left = wallet.free
  let overdrawn = 0
  const paid = wanted.filter(({ units, mayOverdraw = false }) => {
    const missing = Math.max(0, units - Math.max(0, left))
    if (missing > 0 && !(mayOverdraw && overdrawnToday + overdrawn + missing <= overdraftPerDay)) return false
    left -= units
    overdrawn += missing
    return true
  })
  if (paid.length > 0) {
    const reserved = [companyId, wallet.id, wallet.free - left]
    await (overdrawn > 0
      ? client.query(overdrawSql, [...reserved, overdrawn, overdrawnToday + overdrawn, now])
      : client.query(reserveSql, reserved))
    const [ids, alarms] = [paid.map(({ deliveryId }) => deliveryId), paid.map(({ alarmId }) => alarmId)]
    await client.query(entriesSql, [companyId, wallet.id, wallet.balance, now, ids, alarms])
  }
  const done = new Set(paid)
  const unpaid = wanted.flatMap((one) => (done.has(one) ? [] : one.deliveryId))
  return { unpaid, left, overdraftPerDay }
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
with wallet as (
  select w.company_id, w.id, w.balance from wallets w where w.company_id = $1 and w.kind = $2 for no key update),
entry as (
  insert into wallet_entries (company_id, wallet_id, kind, units, balance_after, delivery_id, alarm_id, at, day)
  select w.company_id, w.id, '${spent ? 'settled' : 'returned'}', ${spent ? '-$3::int4' : '0'}, w.balance${spent ? ' - $3::int4' : ''}, $4, $5, $6,
    ${dayOf('$1', '$6')}
  from wallet w
  on conflict do nothing returning *),
summed as (${intoDays})
update wallets set reserved = reserved - $3::int4${spent ? ', balance = balance - $3::int4, spent = spent + $3::int4' : ''}
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
  const units = rows[0]?.remaining
  if (units === undefined || (channel !== 'sms' && channel !== 'chat')) return units
  await writeEvents(client, [
    {
      ...{ companyId, type: isEmpty ? 'wallet.empty' : 'wallet.low', key: `${channel}:${now.getTime()}`, at: now },
      data: { wallet: channel, units },
    },
  ])
  return units
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

/** Sets how many units a day critical alarms of a company may overdraw; null: as many as the installation's. */
export const setOverdraft = (client: Client, companyId: number, units: number | null) =>
  client.query('update wallets set overdraft_units = $2 where company_id = $1', [companyId, units])

/** Puts units into a wallet, which repays its overdraft; what was warned of is forgotten, and messages that found none are looked at. */
export async function addUnits(
  client: Client,
  { companyId, channel }: Wallet,
  units: number,
  { kind, reference, purchaseId = '' }: Added,
  now: Date,
): Promise<{ id: string; balance: number }> {
  const { rows } = await client.query<{ id: string; balance: number }>(
    `insert into wallets (company_id, kind, balance, refilled_at) values ($1, $2, $3, $4)
     on conflict (company_id, kind) do update set balance = wallets.balance + $3, overdrawn = greatest(0, wallets.overdrawn - $3), low_told_at = null, empty_told_at = null,
       refilled_at = $4
     returning id, balance`,
    [companyId, channel, units, now],
  )
  const [wallet] = rows
  if (!wallet) throw new Error('no wallet')
  await client.query(
    `with entry as (
       insert into wallet_entries (company_id, wallet_id, kind, units, balance_after, reference, purchase_id, at, day)
       values ($1, $2, $3, $4, $5, $6, nullif($7, '')::int8, $8, ${dayOf('$1', '$8')}) returning *)
     ${intoDays}`,
    [companyId, wallet.id, kind, units, wallet.balance, reference, purchaseId, now],
  )
  if (channel === 'sms' || channel === 'chat')
    await writeEvents(client, [
      {
        ...{ companyId, type: 'wallet.topped_up', key: purchaseId || `${channel}:${now.getTime()}`, at: now },
        data: { wallet: channel, units: wallet.balance, added: units },
      },
    ])
  return wallet
}

/** Takes a wallet that units came into, once for each time; undefined: there is none. It is locked until the transaction ends. As pipeline. */
export async function takeRefilled(client: Client): Promise<Wallet | undefined> {
  const { rows } = await client.query<Wallet>(
    `update wallets w set refilled_at = null
     from (select company_id, id from wallets where refilled_at is not null order by refilled_at limit 1 for update skip locked) n
     where w.company_id = n.company_id and w.id = n.id returning w.company_id as "companyId", w.kind as channel`,
  )
  return rows[0]
}

const freeSql = 'select id, balance - reserved as free from wallets where company_id = $1 and kind = $2 for update'

/** Takes units that were bought out of a wallet, at most those that are there and not reserved; returns how many. */
export async function takeUnits(
  client: Client,
  { companyId, channel }: Wallet,
  most: number,
  { reference, purchaseId }: { reference: string; purchaseId: string },
  now: Date,
): Promise<number> {
  const { rows } = await client.query<{ id: string; free: number }>(freeSql, [companyId, channel])
  const [wallet] = rows
  const taken = Math.min(most, Math.max(wallet?.free ?? 0, 0))
  if (!wallet || taken <= 0) return 0
  await client.query(
    `with taken as (
       update wallets set balance = balance - $3 where company_id = $1 and id = $2 returning balance),
     entry as (
       insert into wallet_entries (company_id, wallet_id, kind, units, balance_after, reference, purchase_id, at, day)
       select $1, $2, 'adjusted', -$3::int4, balance, $4, $5::int8, $6, ${dayOf('$1', '$6')} from taken returning *)
     ${intoDays}`,
    [companyId, wallet.id, taken, reference, purchaseId, now],
  )
  return taken
}
