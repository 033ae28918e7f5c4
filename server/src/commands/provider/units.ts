import {
  listUnitPrices,
  listUnitWeights,
  setUnitPrice,
  setUnitWeight,
  type UnitKind,
} from '../../core/provider/price-list.ts'
import { majorText } from '../../domain/money.ts'
import { asLogin } from '../../platform/db/transaction.ts'
import { changing } from './desk.ts'
import type { ProviderTools } from './provider-tools.ts'
import { day, table } from './show.ts'
import { amount, country, currency, instant, oneOf, whole } from './typed.ts'
import { UsageError } from './usage-error.ts'

export interface UnitOptions {
  kind?: string | undefined
  currency?: string | undefined
  units?: string | undefined
  amount?: string | undefined
  bundle: boolean
  country?: string | undefined
  weight?: string | undefined
  from?: string | undefined
}

const kinds = ['sms', 'chat'] as const satisfies readonly UnitKind[]
const maxUnits = 1_000_000

/**
 * Sets what units cost: a bundle of so many, or the rate by which any other number is sold; with --weight how many units each segment of
 * a message to a country costs.
 */
export async function setUnits(tools: ProviderTools, options: UnitOptions): Promise<void> {
  await (options.weight === undefined ? setCost(tools, options) : setWeight(tools, options))
  await showUnits(tools)
}

function setCost(tools: ProviderTools, options: UnitOptions): Promise<void> {
  const kind = oneOf('kind', options.kind, kinds)
  const of = currency(options.currency)
  const units = whole('units', options.units, maxUnits)
  const net = amount(options.amount, of)
  if (net === 0) throw new UsageError('--amount must be more than 0')
  return changing(tools, async (tx, now) => {
    const from = instant(options.from, now)
    await setUnitPrice(tx, { kind, currency: of, units, isBundle: options.bundle }, net, from, now)
    const about = { currency: of, units, bundle: options.bundle, price: majorText(net, of), from: from.toISOString() }
    return { act: 'units.priced', target: kind, after: about }
  })
}

function setWeight(tools: ProviderTools, options: UnitOptions): Promise<void> {
  const kind = oneOf('kind', options.kind, kinds)
  const weight = whole('weight', options.weight, 1_000)
  const to = country(options.country)
  return changing(tools, async (tx, now) => {
    const from = instant(options.from, now)
    await setUnitWeight(tx, { kind, country: to }, weight, from, now)
    return { act: 'units.weighed', target: kind, after: { country: to, weight, from: from.toISOString() } }
  })
}

/** Blocks a country: messages of a kind are not sent there, until it has a weight again. */
export async function blockCountry(tools: ProviderTools, options: UnitOptions): Promise<void> {
  const kind = oneOf('kind', options.kind, kinds)
  const to = country(options.country)
  await changing(tools, async (tx, now) => {
    const from = instant(options.from, now)
    await setUnitWeight(tx, { kind, country: to }, null, from, now)
    return { act: 'units.blocked', target: kind, after: { country: to, from: from.toISOString() } }
  })
  await showUnits(tools)
}

export async function showUnits(tools: ProviderTools): Promise<void> {
  const now = new Date()
  const [prices, weights] = await asLogin(tools.pool, async ({ tx }) => [
    await listUnitPrices(tx, now),
    await listUnitWeights(tx, now),
  ])
  const sold = prices.map((row) => [
    row.kind,
    row.currency,
    row.is_bundle ? 'bundle' : 'rate',
    String(row.units),
    majorText(Number(row.amount), row.currency),
    day(row.valid_from),
    day(row.valid_to),
  ])
  table(tools, ['KIND', 'CURRENCY', 'SOLD AS', 'UNITS', 'NET', 'FROM', 'UNTIL'], sold)
  if (weights.length === 0) return
  const heads = ['KIND', 'COUNTRY', 'UNITS A SEGMENT', 'FROM', 'UNTIL']
  const rows = weights.map((row) => [
    row.kind,
    row.country,
    row.weight === null ? 'blocked' : String(row.weight),
    day(row.valid_from),
    day(row.valid_to),
  ])
  table(tools, heads, rows)
}
