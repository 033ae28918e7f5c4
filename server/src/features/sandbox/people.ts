import { randomUUID } from 'node:crypto'
import { termsVersion } from '@isotherm/contract/auth.ts'
import { defaultMatrix } from '@isotherm/contract/permissions.ts'
import { sandboxDomain } from '@isotherm/contract/sandbox.ts'
import { insertUser, type UserRow } from '../../core/people/users.ts'
import { createIdentity, identityOf, markVerified } from '../../platform/auth/identities.ts'
import type { Caller } from '../../platform/auth/people.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin, withSandbox } from '../../platform/db/transaction.ts'
import { translate } from '../../platform/i18n/i18n.ts'

/**
 * Adds the person of a sandbox. Nobody can log in as them: there is no password, and no mail reaches their address, which nobody can guess and register
 * before.
 */
export async function addPerson(ctx: Context, sandboxId: number, timezone: string): Promise<Caller> {
  const { tx, companyId } = ctx
  const now = ctx.clock.now()
  const user = await withSandbox(tx, { from: companyId, to: sandboxId }, () =>
    insertUser(tx, {
      ...{ company_id: sandboxId, fullname: translate(ctx.locale, 'sandbox:person'), role: 'admin', status: 'active' },
      ...{ email: `${randomUUID()}@${sandboxDomain}`, timezone, locale: ctx.locale, created_at: now },
      ...{ terms_accepted_at: now, terms_version: termsVersion },
    }),
  )
  const identityId = await withLogin(tx, async () => {
    const id = await createIdentity(tx, {
      email: user.email,
      companyId: sandboxId,
      userId: user.id,
      passwordHash: null,
      now,
    })
    if (id) await markVerified(tx, id, now)
    return id
  })
  if (!identityId) throw new Error('the address of a sandbox is somebody’s already')
  return callerOf(user, identityId)
}

const callerOf = ({ id, fullname, email, locale }: UserRow, identityId: string): Caller => ({
  ...{ id, identityId, fullname, email, locale, role: 'admin', permissions: defaultMatrix.admin },
})

/** The login of the person of a sandbox, while it lasts. */
export const loginOf = ({ tx }: Context, sandboxId: number, userId: string) =>
  withLogin(tx, () => identityOf(tx, sandboxId, userId))
