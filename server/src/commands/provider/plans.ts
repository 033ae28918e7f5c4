import { type Module, modules } from '@isotherm/contract/permissions.ts'
import { defaultPlans } from '../../core/provider/default-plans.ts'
import {
  findPlan,
  insertPlan,
  listPlans,
  type PlanNumbers,
  type PlanRow,
  updatePlan,
} from '../../core/provider/plans.ts'
import { asLogin, type Tx } from '../../platform/db/transaction.ts'
import { changing } from './desk.ts'
import type { ProviderTools } from './provider-tools.ts'
import { day, table } from './show.ts'
import { line, whole } from './typed.ts'
import { UsageError } from './usage-error.ts'

export interface PlanOptions {
  name?: string | undefined
  devices?: string | undefined
  users?: string | undefined
  emails?: string | undefined
  phones?: string | undefined
  retention?: string | undefined
  /** Names of modules, divided by commas, or `all`. */
  modules?: string | undefined
}

const max = 100_000
const maxMonths = 600

const readers: {
  [K in keyof PlanOptions]-?: [keyof PlanNumbers, (text: string | undefined) => string | number | Module[]]
} = {
  name: ['name', (text) => line('name', text, 80)],
  devices: ['devices', (text) => whole('devices', text, max)],
  users: ['users', (text) => whole('users', text, max)],
  emails: ['emails', (text) => whole('emails', text, max, 0)],
  phones: ['phones', (text) => whole('phones', text, max, 0)],
  retention: ['retention_months', (text) => whole('retention', text, maxMonths)],
  modules: ['modules', readModules],
}

/** The modules that are named, each once, in the order of the product; all where nothing is said. */
function readModules(text = 'all'): Module[] {
  const named = text.split(',').map((name) => name.trim())
  const unknown = named.filter((name) => name !== 'all' && !modules.some((module) => module === name))
  if (unknown.length > 0)
    throw new UsageError(`--modules: ${unknown.join(', ')}? One or more of ${modules.join(', ')}, or all`)
  return modules.filter((module) => named.includes('all') || named.includes(module))
}

/** The numbers of a plan as typed: all of them, or those that are given. */
function numbersOf(options: PlanOptions, isWhole: boolean): Partial<PlanNumbers> {
  const entries = Object.entries(readers).flatMap(([name, [column, read]]) => {
    const text = options[name as keyof PlanOptions]
    return text === undefined && !isWhole ? [] : [[column, read(text)]]
  })
  return Object.fromEntries(entries)
}

function codeOf(code: string | undefined): string {
  if (!code || !/^[a-z0-9-]{1,40}$/.test(code))
    throw new UsageError('Which plan? A code of small letters, digits and hyphens, such as five-devices')
  return code
}

const shown = (plan: Omit<PlanNumbers, 'modules'> & { modules?: readonly string[] }) => {
  const { name, devices, users, emails, phones, retention_months: retention } = plan
  return { name, devices, users, emails, phones, retention, modules: namesOf(plan.modules) }
}
const namesOf = (has: readonly string[] = modules) => (has.length === modules.length ? 'all' : has.join(','))

async function load(tx: Tx, code: string): Promise<PlanRow> {
  const plan = await findPlan(tx, code)
  if (!plan) throw new UsageError(`There is no plan "${code}": see plans list`)
  return plan
}

/** A plan to be found by its code, in a transaction of the desk. */
export const planOf = (tx: Tx, code: string | undefined): Promise<PlanRow> => load(tx, codeOf(code))

export async function addPlan(tools: ProviderTools, code: string | undefined, options: PlanOptions): Promise<void> {
  const known = codeOf(code)
  const plan = { ...(numbersOf(options, true) as PlanNumbers), code: known }
  await changing(tools, async (tx, now) => {
    if (!(await insertPlan(tx, plan, now))) throw new UsageError(`There is a plan "${known}" already: see plans change`)
    return { act: 'plans.added', target: known, after: shown(plan) }
  })
  tools.out(`Plan ${known} is on sale once it has a price: prices set ${known} ...`)
}

/** Changes a plan for the licences that are made from now on; those that there are keep the numbers they were sold with. */
export async function changePlan(tools: ProviderTools, code: string | undefined, options: PlanOptions): Promise<void> {
  const known = codeOf(code)
  const change = numbersOf(options, false)
  if (Object.keys(change).length === 0) throw new UsageError('Nothing to change: give --name, --devices, --users ...')
  await changing(tools, async (tx) => {
    const before = await load(tx, known)
    const after = await updatePlan(tx, before.id, change)
    return { act: 'plans.changed', target: known, before: shown(before), after: shown(after) }
  })
  tools.out(`Plan ${known} is changed for what is sold from now on.`)
}

/** Takes a plan off sale; who has it keeps it until its end. */
export async function archivePlan(tools: ProviderTools, code: string | undefined): Promise<void> {
  const known = codeOf(code)
  await changing(tools, async (tx, now) => {
    const plan = await load(tx, known)
    if (plan.archived_at) return undefined
    await updatePlan(tx, plan.id, { archived_at: now })
    return { act: 'plans.archived', target: known }
  })
  tools.out(`Plan ${known} is not sold any more.`)
}

/** Adds the plans for 1, 5 and 10 devices that are not there yet. Prices are the operator's. */
export async function addDefaultPlans(tools: ProviderTools): Promise<void> {
  for (const plan of defaultPlans)
    await changing(tools, async (tx, now) => {
      const isNew = await insertPlan(tx, plan, now)
      return isNew ? { act: 'plans.added', target: plan.code, after: shown(plan) } : undefined
    })
  await showPlans(tools)
}

export async function showPlans(tools: ProviderTools): Promise<void> {
  const plans = await asLogin(tools.pool, ({ tx }) => listPlans(tx))
  const rows = plans.map((plan) => [
    plan.code,
    plan.name,
    ...[plan.devices, plan.users, plan.emails, plan.phones, plan.retention_months].map(String),
    namesOf(plan.modules),
    plan.archived_at ? `archived ${day(plan.archived_at)}` : 'on sale',
  ])
  table(tools, ['CODE', 'NAME', 'DEVICES', 'USERS', 'EMAILS', 'PHONES', 'MONTHS KEPT', 'MODULES', 'STATE'], rows)
}
