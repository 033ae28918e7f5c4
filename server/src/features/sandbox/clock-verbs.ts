import { maxWindMinutes, type ScenarioKind, scenarioMinutes } from '@isotherm/contract/sandbox-clock.ts'
import { findCompany } from '../../core/company/company.ts'
import {
  type ClockRow,
  findClock,
  insertScenario,
  lockClock,
  readScenarios,
  type ScenarioRow,
  setWindsTo,
} from '../../core/sandbox/clock-queries.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'

/** Has the clock of the company that calls wound, in the background. The app hands it in. */
export type WindSandbox = (ctx: Context) => Promise<void>

export interface KnownClock {
  row: ClockRow
  scenarios: ScenarioRow[]
  realNow: Date
}

const minuteMs = 60_000

/** The clock of the sandbox that calls; null where the company is none. */
export async function showClock(ctx: Context): Promise<KnownClock | null> {
  const row = await findClock(ctx)
  return row ? known(ctx, row) : null
}

async function known(ctx: Context, row: ClockRow): Promise<KnownClock> {
  return { row, scenarios: await readScenarios(ctx.tx, ctx.companyId), realNow: ctx.services.clock.now() }
}

/** Winds the clock forward. Throws SANDBOX_NONE, SANDBOX_WINDING where that is under way, or SANDBOX_CLOCK_END. */
export async function windClock(ctx: Context, minutes: number, wind: WindSandbox): Promise<KnownClock> {
  const row = await begin(ctx, minutes, wind)
  await note(ctx, 'sandbox.wound', { minutes })
  return known(ctx, row)
}

/** Has a scenario begin now, and winds the clock until it is over. Throws what winding does. */
export async function playScenario(ctx: Context, kind: ScenarioKind, wind: WindSandbox): Promise<KnownClock> {
  const row = await begin(ctx, scenarioMinutes[kind], wind)
  await insertScenario(ctx, kind, row.at)
  await note(ctx, 'sandbox.scenarioPlayed', { scenario: kind })
  return known(ctx, row)
}

async function begin(ctx: Context, minutes: number, wind: WindSandbox): Promise<ClockRow> {
  const row = await lockClock(ctx)
  if (!row) throw new AppError('SANDBOX_NONE')
  if (row.winds_to) throw new AppError('SANDBOX_WINDING')
  const leftMinutes = Math.floor((ctx.services.clock.now().getTime() - row.at.getTime()) / minuteMs)
  if (minutes > leftMinutes) throw new AppError('SANDBOX_CLOCK_END', { minutes: Math.min(leftMinutes, maxWindMinutes) })
  const to = new Date(row.at.getTime() + minutes * minuteMs)
  await setWindsTo(ctx, to)
  await wind(ctx)
  return { ...row, winds_to: to }
}

async function note(ctx: Context, action: string, after: Record<string, unknown>) {
  const { name } = await findCompany(ctx.tx, ctx.companyId)
  ctx.audit({ action, target: { kind: 'company', id: String(ctx.companyId), name }, after })
}
