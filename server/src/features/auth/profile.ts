import { termsVersion } from '@isotherm/contract/auth.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import { findCompany } from '../../core/company/company.ts'
import { endSessionsOf } from '../../core/people/accounts.ts'
import { findUser, type UserRow, updateUser } from '../../core/people/users.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import { lockIdentity, setPassword } from '../../platform/auth/identities.ts'
import { checkNewPassword } from '../../platform/auth/password-rules.ts'
import { checkPassword, hashPassword } from '../../platform/auth/passwords.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { presentProfile, type SessionRows, targetOf, termsToShow } from './present.ts'

/** The rows about the person logged in. */
export const currentSession = async (ctx: Context): Promise<SessionRows> => ({
  user: await findUser(ctx.tx, ctx.companyId, ctx.person.id),
  permissions: ctx.person.permissions,
  company: await findCompany(ctx.tx, ctx.companyId),
  mustEnrol: ctx.session?.scope === 'enrol',
})

interface Change {
  fullname?: string | undefined
  phone?: string | null | undefined
  timezone?: string | undefined
  locale?: Locale | undefined
}

/** Omitted fields stay as they are. */
export async function changeProfile(ctx: Context, change: Change): Promise<UserRow> {
  const { tx, companyId, person } = ctx
  const row = await findUser(tx, companyId, person.id)
  const changed = await updateUser(tx, companyId, row.id, { fullname: row.fullname, ...change })
  const [before, after] = [presentProfile(row, person.permissions), presentProfile(changed, person.permissions)]
  ctx.audit({ action: 'auth.profileChanged', target: targetOf(changed), ...changesOf(before, after) })
  return changed
}

/** Changes the password and ends the person's other sessions. Throws WRONG_PASSWORD, SAME_PASSWORD, or VALIDATION for one easy to guess. */
export async function changePassword(ctx: Context, input: { currentPassword: string; newPassword: string }) {
  const { tx, person, clock } = ctx
  const identity = await withLogin(tx, () => lockIdentity(tx, person.identityId))
  if (!(await checkPassword(input.currentPassword, identity?.passwordHash, ctx.origin.address)))
    throw new AppError('WRONG_PASSWORD')
  if (await checkPassword(input.newPassword, identity?.passwordHash, ctx.origin.address))
    throw new AppError('SAME_PASSWORD')
  const { name } = await findCompany(tx, ctx.companyId)
  await checkNewPassword(input.newPassword, { ...person, companyName: name }, 'newPassword')
  const passwordHash = await hashPassword(input.newPassword, ctx.origin.address)
  await withLogin(tx, () => setPassword(tx, person.identityId, passwordHash, clock.now()))
  await endSessionsOf(ctx, person.id, ctx.sessionHash)
  ctx.audit({ action: 'auth.passwordChanged' })
}

/** Notes when which version of the terms was accepted; of one version the first time counts. */
export async function acceptTerms(ctx: Context): Promise<void> {
  const { tx, companyId, person, clock } = ctx
  const before = await findUser(tx, companyId, person.id)
  const accepted = { terms_accepted_at: clock.now(), terms_version: termsVersion }
  const after = termsToShow(before) ? await updateUser(tx, companyId, person.id, accepted) : before
  ctx.audit({ action: 'auth.termsAccepted', target: targetOf(after), after: { termsVersion } })
}
