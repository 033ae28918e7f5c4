import type { Updateable } from 'kysely'
import {
  type InsurancePlanRow,
  insertInsurancePlan,
  listInsurancePlans,
  lockInsurancePlan,
  updateInsurancePlan,
} from '../../core/provider/insurance-plans.ts'
import { majorText } from '../../domain/money.ts'
import type { InsurancePlans } from '../../platform/db/schema.ts'
import { asLogin, type Tx } from '../../platform/db/transaction.ts'
import { changing } from './desk.ts'
import type { ProviderTools } from './provider-tools.ts'
import { day, table } from './show.ts'
import { amount, basisPoints, country, currency, line, whole } from './typed.ts'
import { UsageError } from './usage-error.ts'

export interface InsuranceOptions {
  name?: string | undefined
  insurer?: string | undefined
  currency?: string | undefined
  percent?: string | undefined
  'min-premium'?: string | undefined
  'min-worth'?: string | undefined
  'max-worth'?: string | undefined
  deductible?: string | undefined
  products?: string | undefined
  clause?: string | undefined
  lead?: string | undefined
  countries?: string | undefined
}

type Change = Updateable<InsurancePlans>
type Reader = [keyof Change & string, (text: string | undefined, of: string) => string | number | string[]]

const readers: Record<Exclude<keyof InsuranceOptions, 'currency'>, Reader> = {
  name: ['name', (text) => line('name', text, 80)],
  insurer: ['insurer', (text) => line('insurer', text, 120)],
  percent: ['rate_bp', basisPoints],
  'min-premium': ['min_premium', (text, of) => amount(text, of, 'min-premium')],
  'min-worth': ['min_worth', (text, of) => amount(text, of, 'min-worth')],
  'max-worth': ['max_worth', (text, of) => amount(text, of, 'max-worth')],
  deductible: ['deductible', (text, of) => amount(text, of, 'deductible')],
  products: ['products', (text) => line('products', text, 300)],
  clause: ['temperature_clause', (text) => line('clause', text, 1_000)],
  lead: ['lead_hours', (text) => whole('lead', text, 720, 0)],
  countries: ['countries', (text) => (text ? text.split(',').map((code) => country(code.trim())) : [])],
}
const needed = ['name', 'insurer', 'percent', 'max-worth'] as const

/** The columns that are typed; the needed ones are asked for where there is no plan yet. */
function columnsOf(options: InsuranceOptions, of: string, isNew: boolean): Change {
  const entries = Object.entries(readers).flatMap(([name, [column, read]]) => {
    const text = options[name as keyof InsuranceOptions]
    const isNeeded = isNew && needed.some((one) => one === name)
    return text === undefined && !isNeeded ? [] : [[column, read(text, of)]]
  })
  return Object.fromEntries(entries)
}

/** Bounds and a rate that the database would refuse, in words. */
function refuseBounds({ rate_bp, min_worth, max_worth }: Pick<Change, 'rate_bp' | 'min_worth' | 'max_worth'>): void {
  if (Number(rate_bp) < 1) throw new UsageError('--percent must be at least 0.01')
  if (Number(max_worth) <= Number(min_worth ?? 0)) throw new UsageError('--max-worth must be more than --min-worth')
}

const shown = ({ id: _id, created_at: _created, retired_at: _retired, ...facts }: InsurancePlanRow) => facts

export async function addInsurance(tools: ProviderTools, options: InsuranceOptions): Promise<void> {
  const of = currency(options.currency)
  const columns = columnsOf(options, of, true)
  refuseBounds(columns)
  await changing(tools, async (tx, now) => {
    const plan = { ...columns, currency: of, created_at: now } as Parameters<typeof insertInsurancePlan>[1]
    const row = await insertInsurancePlan(tx, plan)
    tools.out(`Insurance ${row.id} is offered from now on.`)
    return { act: 'insurances.added', target: String(row.id), after: shown(row) }
  })
}

/** Changes a plan for orders that are insured from now on; those that are keep what they were sold. */
export async function changeInsurance(
  tools: ProviderTools,
  id: string | undefined,
  options: InsuranceOptions,
): Promise<void> {
  await changing(tools, async (tx) => {
    const before = await load(tx, id)
    if (options.currency && currency(options.currency) !== before.currency)
      throw new UsageError('The currency of a plan stays: retire it, and add another one.')
    const change = columnsOf(options, before.currency, false)
    if (Object.keys(change).length === 0) throw new UsageError('Nothing to change: give --name, --percent ...')
    refuseBounds({ ...before, ...change })
    const after = await updateInsurancePlan(tx, before.id, change)
    return { act: 'insurances.changed', target: String(before.id), before: shown(before), after: shown(after) }
  })
  tools.out(`Insurance ${id} is changed for what is insured from now on.`)
}

export async function retireInsurance(tools: ProviderTools, id: string | undefined): Promise<void> {
  await changing(tools, async (tx, now) => {
    const plan = await load(tx, id)
    if (plan.retired_at) return undefined
    await updateInsurancePlan(tx, plan.id, { retired_at: now })
    return { act: 'insurances.retired', target: String(plan.id), before: shown(plan) }
  })
  tools.out(`Insurance ${id} is not offered any more.`)
}

async function load(tx: Tx, id: string | undefined): Promise<InsurancePlanRow> {
  const plan = /^\d{1,9}$/.test(id ?? '') ? await lockInsurancePlan(tx, Number(id)) : undefined
  if (!plan) throw new UsageError(`There is no insurance "${id ?? ''}": see insurances list`)
  return plan
}

export async function showInsurances(tools: ProviderTools): Promise<void> {
  const plans = await asLogin(tools.pool, ({ tx }) => listInsurancePlans(tx))
  const rows = plans.map((plan) => {
    const money = (minor: string) => majorText(Number(minor), plan.currency)
    return [
      ...[String(plan.id), plan.name, plan.insurer, plan.currency, (plan.rate_bp / 100).toFixed(2)],
      ...[plan.min_premium, plan.min_worth, plan.max_worth, plan.deductible].map(money),
      plan.countries.join(' ') || 'all',
      plan.retired_at ? `retired ${day(plan.retired_at)}` : 'offered',
    ]
  })
  const heads = ['NUMBER', 'NAME', 'INSURER', 'CURRENCY', 'PERCENT', 'MIN PREMIUM', 'FROM', 'TO', 'DEDUCTIBLE']
  table(tools, [...heads, 'COUNTRIES', 'STATE'], rows)
}
