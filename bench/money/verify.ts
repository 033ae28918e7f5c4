import type pg from 'pg'
import type { Movement } from '../../simulator/src/payments/bank.ts'

/** Counts that must all be 0. */
export interface Faults {
  /** Money came in, and nothing was given for it. */
  'charged, not granted': number
  /** Something was given, and no money came in. */
  'granted, not charged': number
  /** One purchase, more than once. */
  'granted twice': number
  'other amounts': number
  'without one invoice': number
  'gaps in numbers': number
  'wallets that differ': number
  /** Subscriptions of which a period is missing, is paid twice or does not follow the one before, or whose licence ends elsewhere. */
  'periods that differ': number
  /** Companies whose invoices are not, to the minor unit, what the bank took. */
  'sums that differ': number
  /** Neither paid nor given up, though nobody is at it. */
  'still open': number
}

interface Payment {
  reference: string
  state: string
  amount: string
  currency: string
  purchase_id: string
  units: number
}
interface Invoice {
  series: string
  number: number
  purchase_id: string
  total: string
}
interface Subscription {
  id: string
  cycle: number
  state: string
  period_end: Date
  licence_end: Date
  /** Purchases that are paid, in the order of their cycles. */
  periods: { cycle: number; from: string; to: string }[]
}
interface Wallet {
  balance: number
  entries: number
  bought: number
  spent: number
  settled: number
  /** The sums of the days are those of the entries. */
  days: boolean
}

/** Compares what was granted to the companies with the bank's own book. */
export async function verify(client: pg.Client, companies: readonly number[], movements: readonly Movement[]) {
  const charges = new Map<string, Movement[]>()
  for (const charge of movements.filter(({ kind }) => kind === 'charge'))
    charges.set(charge.reference, [...(charges.get(charge.reference) ?? []), charge])
  const faults: Faults = {
    'charged, not granted': 0,
    'granted, not charged': 0,
    'granted twice': 0,
    'other amounts': 0,
    'without one invoice': 0,
    'gaps in numbers': 0,
    'wallets that differ': 0,
    'periods that differ': 0,
    'sums that differ': 0,
    'still open': 0,
  }
  let [granted, periods] = [0, 0]
  const known = new Set<string>()
  for (const company of companies) {
    const { payments, invoices, wallet, subscriptions } = await booksOf(client, company)
    const paid = payments.filter(({ state }) => state === 'succeeded')
    granted += paid.length
    let [took, units] = [0n, 0]
    for (const { reference, state, amount, currency, units: bought } of payments) {
      known.add(reference)
      const found = charges.get(reference) ?? []
      took += found.reduce((sum, charge) => sum + charge.amount, 0n)
      if (['created', 'sent', 'action', 'pending'].includes(state)) faults['still open']++
      if (state !== 'succeeded') {
        faults['charged, not granted'] += found.length
        if (found.length > 0) console.error(`charged, not granted: ${reference} is ${state}`)
        continue
      }
      units += bought
      if (found.length === 0) faults['granted, not charged']++
      if (found.length > 1) faults['charged, not granted'] += found.length - 1
      if (found.some((charge) => charge.amount !== BigInt(amount) || charge.currency !== currency))
        faults['other amounts']++
    }
    const purchases = new Set(paid.map(({ purchase_id: id }) => id))
    faults['granted twice'] += paid.length - purchases.size
    const invoiced = invoices.map(({ purchase_id: id }) => id)
    if (invoiced.toSorted().join() !== [...purchases].toSorted().join()) faults['without one invoice']++
    faults['gaps in numbers'] += countGaps(invoices)
    faults['periods that differ'] += subscriptions.filter((one) => !isWhole(one)).length
    periods += subscriptions.reduce((sum, { cycle }) => sum + cycle, 0)
    if (wallet.balance !== wallet.entries || wallet.bought !== units || wallet.spent !== wallet.settled || !wallet.days)
      faults['wallets that differ']++
    if (invoices.reduce((sum, { total }) => sum + BigInt(total), 0n) !== took) faults['sums that differ']++
  }
  // The bank took money by a reference that we do not know.
  for (const [reference, found] of charges) if (!known.has(reference)) faults['charged, not granted'] += found.length
  return { charges: movements.length, granted, renewals: periods, faults }
}

async function booksOf(client: pg.Client, company: number) {
  await client.query(`begin; set local role app; set local app.company_id = '${company}'`)
  const rows = async <T extends object>(text: string) => (await client.query<T>(text)).rows
  const payments = await rows<Payment>(`select p.*, coalesce(b.units, 0) as units
    from payments p join purchases b on b.company_id = p.company_id and b.id = p.purchase_id`)
  const invoices = await rows<Invoice>(
    'select series, number, purchase_id, total from invoices order by series, number',
  )
  const [wallet = { balance: 0, entries: 0, bought: 0, spent: 0, settled: 0, days: false }] =
    await rows<Wallet>(`select w.balance,
      w.spent::int, (select coalesce(-sum(units), 0) from wallet_entries where kind = 'settled')::int as settled,
      (select coalesce(sum(units), 0) from wallet_entries)::int as entries,
      (select coalesce(sum(units), 0) from wallet_entries where kind = 'bought')::int as bought,
      (select coalesce(sum(bought - used), 0) from wallet_days) =
        (select coalesce(sum(units), 0) from wallet_entries where kind in ('bought', 'granted', 'settled')) as days
    from wallets w where w.kind = 'sms'`)
  const subscriptions = await rows<Subscription>(`select s.*, l.expires_at as licence_end,
      (select coalesce(json_agg(json_build_object('cycle', cycle, 'from', period_start, 'to', period_end) order by cycle), '[]')
       from purchases p where p.subscription_id = s.id and p.paid_at is not null) as periods
    from subscriptions s join licences l on l.company_id = s.company_id and l.id = s.licence_id`)
  await client.query('commit')
  return { payments, invoices, wallet, subscriptions }
}

/** Each period was paid once and follows the one before; after days without any it begins later. */
function isWhole({ cycle, state, periods, period_end: end, licence_end: until }: Subscription): boolean {
  const inOrder = periods.every((one, n) => one.cycle === n && (n === 0 || one.from >= (periods[n - 1]?.to ?? '')))
  const last = periods.at(-1)
  const isPaid = periods.length === cycle + 1 && last !== undefined && new Date(last.to).getTime() === end.getTime()
  return inOrder && isPaid && (state === 'active' ? until.getTime() === end.getTime() : until >= end)
}

function countGaps(invoices: readonly Invoice[]): number {
  const next = new Map<string, number>()
  let gaps = 0
  for (const { series, number } of invoices) {
    if (number !== (next.get(series) ?? 1)) gaps++
    next.set(series, number + 1)
  }
  return gaps
}
