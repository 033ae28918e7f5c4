import { maxSandboxesPerDay } from '@isotherm/contract/sandbox.ts'
import { sandboxDays } from '@isotherm/contract/sandbox-clock.ts'
import { findCompany } from '../../core/company/company.ts'
import { insertCompany, lockCompany } from '../../core/company/company-queries.ts'
import { loadPerson } from '../../core/people/person.ts'
import { endPushes } from '../../core/people/push-subscriptions.ts'
import { updateUser, zoneOf } from '../../core/people/users.ts'
import { insertClock, setWindsTo } from '../../core/sandbox/clock-queries.ts'
import { deleteSecrets } from '../../platform/auth/api-key-secrets.ts'
import { deleteIdentity } from '../../platform/auth/identities.ts'
import { openSession } from '../../platform/auth/sessions.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin, withSandbox } from '../../platform/db/transaction.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { inside } from './inside.ts'
import { addPerson, loginOf } from './people.ts'
import { closeSandbox, countMade, findSandbox, insertSandbox, loadSandbox } from './queries.ts'

/** The parts of other features in a sandbox: its devices, and its endpoints. The app hands them in. */
export interface SandboxParts {
  addDevices(ctx: Context): Promise<void>
  removeDevices(ctx: Context): Promise<void>
  removeEndpoints(ctx: Context): Promise<void>
}

const [minuteMs, dayMs] = [60_000, 86_400_000]

/**
 * Makes the sandbox of the company, with its person and devices whose readings are made up, and a clock that stands in the past. Throws
 * SANDBOX_EXISTS, of two who do it at once for the second, or LIMIT_REACHED where the company made too many of late.
 */
export async function makeSandbox(ctx: Context, parts: SandboxParts) {
  const { tx, locale } = ctx
  const now = ctx.clock.now()
  const owner = await lockCompany(tx, ctx.companyId)
  if (await findSandbox(ctx)) throw new AppError('SANDBOX_EXISTS')
  if ((await countMade(ctx, new Date(now.getTime() - dayMs))) >= maxSandboxesPerDay)
    throw new AppError('LIMIT_REACHED', { limit: maxSandboxesPerDay })
  const name = translate(locale, 'sandbox:company', { name: owner.name })
  const { country } = owner
  const timezone = await zoneOf(ctx)
  const about = { name, country, timezone, locale, created_at: now, is_sandbox: true }
  // Nobody is asked to complete its profile, or led to calls that are closed there.
  const settled = { profile_completed_at: now, first_steps_hidden_at: now }
  const { company_id: sandboxId } = await withLogin(tx, () => insertCompany(tx, { ...about, ...settled }))
  // The transaction speaks for no company now, until the next line is done.
  const person = await addPerson(ctx, sandboxId, timezone)
  const row = await insertSandbox(ctx, {
    ...{ company_id: ctx.companyId, sandbox_id: sandboxId, user_id: person.id },
    ...{ made_at: now, made_by_name: ctx.person.fullname },
  })
  const at = new Date(Math.floor(now.getTime() / minuteMs) * minuteMs - sandboxDays * dayMs)
  await inside(ctx, sandboxId, person, async (own) => {
    await insertClock(own, at)
    await parts.addDevices({ ...own, clock: { now: () => at } })
  })
  ctx.audit({ action: 'sandbox.made', target: { kind: 'company', id: String(sandboxId), name } })
  return { row, name }
}

/** The sandbox of the company with its name; null where there is none. */
export async function showSandbox(ctx: Context) {
  const row = await findSandbox(ctx)
  return row ? { row, name: await nameOf(ctx, row.sandbox_id) } : null
}

/**
 * Opens a session in the sandbox, in the language and time zone of who calls; it ends with theirs. Throws SANDBOX_NONE.
 */
export async function openSandbox(ctx: Context): Promise<string> {
  const { tx, companyId, session, origin, locale } = ctx
  const now = ctx.clock.now()
  // An end of it meanwhile waits, or is waited for.
  await lockCompany(tx, companyId)
  const { sandbox_id: sandboxId, user_id: userId } = await loadSandbox(ctx)
  const timezone = await zoneOf(ctx)
  const name = await withSandbox(tx, { from: companyId, to: sandboxId }, async () => {
    await updateUser(tx, sandboxId, userId, { locale, timezone })
    return (await findCompany(tx, sandboxId)).name
  })
  const login = orNotFound(await loginOf(ctx, sandboxId, userId))
  const { address, agent } = origin
  const token = await withLogin(tx, () =>
    openSession(tx, login.id, {
      ...{ isAdmin: true, now, address, agent, openedBy: ctx.sessionHash },
      ...(session && { method: session.method }),
    }),
  )
  ctx.audit({ action: 'sandbox.opened', target: { kind: 'company', id: String(sandboxId), name } })
  return token
}

/**
 * Ends the sandbox: nobody comes in, its keys and endpoints are over, its clock stands, and its devices are removed. What it stored stays until it
 * is swept. Throws SANDBOX_NONE.
 */
export async function endSandbox(ctx: Context, parts: SandboxParts): Promise<void> {
  const { tx, companyId } = ctx
  const now = ctx.clock.now()
  await lockCompany(tx, companyId)
  const { sandbox_id: sandboxId, user_id: userId } = await loadSandbox(ctx)
  const name = await nameOf(ctx, sandboxId)
  const login = orNotFound(await loginOf(ctx, sandboxId, userId))
  const identity = { userId, identityId: login.id }
  const person = orNotFound(
    await withSandbox(tx, { from: companyId, to: sandboxId }, () => loadPerson(tx, sandboxId, identity)),
  )
  await inside(ctx, sandboxId, person, async (own) => {
    await parts.removeEndpoints(own)
    await setWindsTo(own, null)
    await parts.removeDevices(own)
    await endPushes(tx, sandboxId, userId)
    await updateUser(tx, sandboxId, userId, { archived_at: now })
  })
  await withLogin(tx, async () => {
    await deleteIdentity(tx, sandboxId, userId)
    await deleteSecrets(tx, sandboxId)
  })
  await closeSandbox(ctx, sandboxId, { at: now, byName: ctx.person.fullname })
  ctx.audit({ action: 'sandbox.ended', target: { kind: 'company', id: String(sandboxId), name } })
  ctx.afterCommit(() => ctx.services.bus.publish({ companyId: sandboxId, kind: 'session', data: {} }))
}

const nameOf = ({ tx, companyId }: Context, sandboxId: number): Promise<string> =>
  withSandbox(tx, { from: companyId, to: sandboxId }, async () => (await findCompany(tx, sandboxId)).name)
