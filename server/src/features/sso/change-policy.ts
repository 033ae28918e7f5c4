import type { Sso, SsoPolicy } from '@isotherm/contract/sso.ts'
import { type AdminRow, adminsOf, putBreakGlass } from '../../core/sso/break-glass-queries.ts'
import {
  type ConnectionRow,
  deleteConnection,
  lockConnection,
  updateConnection,
} from '../../core/sso/connection-queries.ts'
import { provedDomains } from '../../core/sso/domain-queries.ts'
import { deleteLinks } from '../../core/sso/link-queries.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import { peopleWithFactor } from '../../platform/auth/factors.ts'
import { narrowSsoSessions, passwordHolders } from '../../platform/auth/sso-sessions.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import { AppError, invalidField, orNotFound } from '../../platform/errors/app-error.ts'
import { findMember } from './account-queries.ts'
import { endPasswordSessions, endSsoSessions } from './end-sessions.ts'
import { factsOfConnection, readSso, targetOf } from './present.ts'

async function locked(ctx: Context): Promise<ConnectionRow> {
  const row = await lockConnection(ctx)
  if (!row) throw new AppError('SSO_NOT_READY')
  return row
}

/**
 * Switches it on or off, and says whom it lets in, for how long, and who keeps a password. On needs a test and a proved domain; enforced needs an Admin
 * who keeps a password and has a second factor, and ends the sessions that others opened with theirs; so do the question for a second factor of our
 * own and off with those of single sign-on. Fewer hours hold for sessions that are open, too. Throws CHANGED_MEANWHILE, SSO_NOT_READY, DOMAIN_NOT_PROVED or VALIDATION.
 */
export async function changePolicy(ctx: Context, input: SsoPolicy): Promise<Sso> {
  const before = await locked(ctx)
  refuseOutdated({ name: before.issuer, version: before.version }, input.version)
  const state = input.state ?? before.state
  const admins = await adminsOf(ctx)
  const marked = admins.filter(({ is_break_glass }) => is_break_glass).map(({ id }) => id)
  const breakGlassIds = [...new Set(input.breakGlassIds ?? marked)]
  const isEnforcing = state === 'enforced' && state !== before.state
  if (input.breakGlassIds || isEnforcing) await refuseUnfit(ctx, admins, { ids: breakGlassIds, state })
  if (state !== 'off' && state !== before.state) await refuseUnready(ctx, before)
  if (state === 'enforced' && breakGlassIds.length === 0) throw invalidField('breakGlassIds', 'rule.ssoBreakGlass')
  const now = ctx.clock.now()
  if (input.breakGlassIds) await putBreakGlass(ctx, breakGlassIds, now)
  const after = await updateConnection(ctx, {
    state,
    join_role: input.joinRole === undefined ? before.join_role : input.joinRole,
    session_hours: input.sessionHours ?? before.session_hours,
    asks_factor: input.asksFactor ?? before.asks_factor,
    version: before.version + 1,
    updated_at: now,
  })
  if (state === 'enforced') await endPasswordSessions(ctx)
  // They came in by less than is asked for now, or by what nobody may come in by any more.
  if ((after.asks_factor && !before.asks_factor) || (state === 'off' && before.state !== 'off'))
    await endSsoSessions(ctx)
  if (after.session_hours < before.session_hours)
    await withLogin(ctx.tx, () => narrowSsoSessions(ctx.tx, ctx.companyId, after.session_hours))
  const names = (ids: readonly string[]) => admins.filter(({ id }) => ids.includes(id)).map(({ fullname }) => fullname)
  const changes = changesOf(
    { ...factsOfConnection(before), breakGlass: names(marked) },
    { ...factsOfConnection(after), breakGlass: names(breakGlassIds) },
  )
  ctx.audit({ action: 'sso.changed', target: targetOf(after), ...changes })
  return readSso(ctx)
}

/** Throws SSO_NOT_READY or DOMAIN_NOT_PROVED. */
async function refuseUnready(ctx: Context, { tested_at }: ConnectionRow): Promise<void> {
  if (!tested_at) throw new AppError('SSO_NOT_READY')
  if ((await provedDomains(ctx)).size === 0) throw new AppError('DOMAIN_NOT_PROVED')
}

/**
 * Those who keep a password are Admins who can log in and have one; where single sign-on is enforced, with a second factor: their password would else be
 * the weakest way in. Throws VALIDATION.
 */
async function refuseUnfit(
  { tx, companyId }: Context,
  admins: readonly AdminRow[],
  { ids, state }: { ids: readonly string[]; state: string },
): Promise<void> {
  const [holders, withFactor] = await withLogin(tx, async () => [
    await passwordHolders(tx, companyId, ids),
    await peopleWithFactor(tx, companyId),
  ])
  const isFit = (id: string) => holders.has(id) && admins.some((admin) => admin.id === id)
  if (!ids.every(isFit)) throw invalidField('breakGlassIds', 'rule.ssoBreakGlass')
  const lacks = admins.find(({ id }) => ids.includes(id) && !withFactor.includes(id))
  if (state === 'enforced' && lacks)
    throw invalidField('breakGlassIds', 'rule.sso.breakGlassFactor', { name: lacks.fullname })
}

/** Removes issuer, client, links and marks, where there are any; domains stay. Sessions that it opened end. */
export async function removeConnection(ctx: Context): Promise<Sso> {
  const before = await lockConnection(ctx)
  if (!before) return readSso(ctx)
  await deleteLinks(ctx)
  await putBreakGlass(ctx, [], ctx.clock.now())
  await deleteConnection(ctx)
  await endSsoSessions(ctx)
  ctx.audit({ action: 'sso.removed', target: targetOf(before), before: factsOfConnection(before) })
  return readSso(ctx)
}

/** Forgets the account of a person at the issuer, and ends the sessions that it opened. Throws NOT_FOUND. */
export async function unlinkPerson(ctx: Context, id: string): Promise<Sso> {
  const member = orNotFound(await findMember(ctx, id))
  const count = await deleteLinks(ctx, id)
  await endSsoSessions(ctx, id)
  const target = { kind: 'user', id, name: member.fullname }
  ctx.audit({ action: 'sso.unlinked', target, before: { count } })
  return readSso(ctx)
}
