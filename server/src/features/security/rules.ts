import type { LoginRules, LoginRulesChange } from '@isotherm/contract/security.ts'
import { type CompanyRow, findCompany } from '../../core/company/company.ts'
import { lockCompany, updateCompany } from '../../core/company/company-queries.ts'
import { announceRevocation } from '../../core/people/accounts.ts'
import { ownFactors } from '../../core/people/enrol.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import { hasFactor, peopleWithFactor } from '../../platform/auth/factors.ts'
import { narrowSessions } from '../../platform/auth/sessions.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { tellFactorNeeded } from './jobs.ts'
import { presentRules } from './present.ts'
import { countPeople } from './queries.ts'

export interface RulesWithPeople {
  company: CompanyRow
  /** People without a second factor. */
  without: number
}

async function withPeople(ctx: Context, company: CompanyRow): Promise<RulesWithPeople> {
  const having = await withLogin(ctx.tx, () => peopleWithFactor(ctx.tx, ctx.companyId))
  return { company, without: (await countPeople(ctx)) - having.length }
}

/** The rules of the company for logins. */
export const findRules = async (ctx: Context): Promise<RulesWithPeople> =>
  withPeople(ctx, await findCompany(ctx.tx, ctx.companyId))

const furthestMs = 5 * 366 * 86_400_000

/** Throws a 422 for what lies beyond the operator's bounds. */
function refuseBeyond(ctx: Context, { secondFactorFrom, idleMinutes, sessionHours }: LoginRules) {
  const { idleMs, absoluteMs } = ctx.services.config.sessions
  const [maxMinutes, maxHours] = [Math.floor(idleMs / 60_000), Math.floor(absoluteMs / 3_600_000)]
  if (idleMinutes !== null && idleMinutes > maxMinutes)
    throw invalidField('idleMinutes', 'rule.logins.atMost', { limit: maxMinutes })
  if (sessionHours !== null && sessionHours > maxHours)
    throw invalidField('sessionHours', 'rule.logins.atMost', { limit: maxHours })
  if (secondFactorFrom && Date.parse(secondFactorFrom) > ctx.clock.now().getTime() + furthestMs)
    throw invalidField('secondFactorFrom', 'rule.logins.fiveYears')
}

/** An Admin who has no second factor would end their own session by asking for one at once. Throws SECOND_FACTOR_NEEDED. */
async function refuseLockingOut(ctx: Context, { secondFactorFrom }: LoginRules) {
  const isAtOnce = secondFactorFrom !== null && Date.parse(secondFactorFrom) <= ctx.clock.now().getTime()
  if (isAtOnce && !hasFactor(await ownFactors(ctx))) throw new AppError('SECOND_FACTOR_NEEDED')
}

/**
 * Sets them. Sessions that are there come within them at once; those of people without a second factor end when one is needed, of which they are told by
 * mail. Throws VALIDATION for
 * what lies beyond the operator's bounds, SECOND_FACTOR_NEEDED for an Admin without one, CHANGED_MEANWHILE.
 */
export async function changeRules(ctx: Context, { version, ...input }: LoginRulesChange): Promise<RulesWithPeople> {
  const { tx, companyId } = ctx
  refuseBeyond(ctx, input)
  await refuseLockingOut(ctx, input)
  const before = await lockCompany(tx, companyId)
  refuseOutdated({ name: translate(ctx.locale, 'security:rules.title'), version: before.version }, version)
  const secondFactorFrom = input.secondFactorFrom === null ? null : new Date(input.secondFactorFrom)
  const after = await updateCompany(tx, companyId, {
    second_factor_from: secondFactorFrom,
    session_idle_minutes: input.idleMinutes,
    session_hours: input.sessionHours,
    version: before.version + 1,
  })
  const idleS = input.idleMinutes === null ? null : input.idleMinutes * 60
  await withLogin(tx, () => narrowSessions(tx, companyId, { idleS, hours: input.sessionHours, secondFactorFrom }))
  const isOtherDate = secondFactorFrom?.getTime() !== before.second_factor_from?.getTime()
  if (secondFactorFrom && isOtherDate) await ctx.enqueue(tellFactorNeeded, { companyId })
  ctx.audit({
    action: 'company.loginRulesChanged',
    target: { kind: 'company', id: String(companyId), name: after.name },
    ...changesOf(presentRules(before), presentRules(after)),
  })
  announceRevocation(ctx)
  return withPeople(ctx, after)
}
