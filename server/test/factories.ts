import type { Permission, PermissionMatrix, Role } from '@isotherm/contract/permissions.ts'
import { defaultMatrix, permissions } from '@isotherm/contract/permissions.ts'
import { insertCompany } from '../src/core/company/company-queries.ts'
import { keepBrowser } from '../src/core/people/push-subscriptions.ts'
import { insertUser } from '../src/core/people/users.ts'
import { writeSettings } from '../src/features/notifications/settings-queries.ts'
import { createIdentity, setPassword } from '../src/platform/auth/identities.ts'
import { openSession } from '../src/platform/auth/sessions.ts'
import type { Context } from '../src/platform/context.ts'
import type { Pool } from '../src/platform/db/pool.ts'
import { asLogin, inTenant } from '../src/platform/db/transaction.ts'

/*
 * Factories write by the product's own queries, which also write change events, wallets and keys. They serve test apps, test pipelines
 * and benches alike.
 */

/** The database and the clock that a factory works on. */
export interface Stage {
  pool: Pool
  clock: { now(): Date }
}

/** Runs queries of features in a company, in the name of an Admin who sees everything and has no row. */
export const inCompany = <T>({ pool, clock }: Stage, companyId: number, work: (ctx: Context) => Promise<T>) =>
  inTenant(pool, companyId, ({ tx }) => {
    const person = { id: '0', identityId: '0', fullname: 'Nobody', email: '', role: 'admin' as const }
    return work({ tx, companyId, clock, person: { ...person, permissions: defaultMatrix.admin } } as Context)
  })

// Everything a factory makes lives in a company of its own, unless one is given, so that tests can run side by side.

export const password = 'correct horse battery'
/** The hash of `password`, at the least cost there is: it is compared thousands of times. What a new one costs has its own test (passwords.test.ts). */
const passwordHash = '$argon2id$v=19$m=8,t=1,p=1$bGVhc3QgY29zdCwgdGVzdA$e7u8cEJw0q1asz/R2HA+rnp00vP3nRUgLHjeRcfP2kQ'

let count = 0
const next = () => {
  count += 1
  return count
}

export interface TestCompany {
  companyId: number
  name: string
}

export async function buildCompany(test: Stage, given: { name?: string } = {}): Promise<TestCompany> {
  const name = given.name ?? `Company ${next()}`
  const about = { name, timezone: 'Africa/Lagos', created_at: test.clock.now() }
  const { company_id: companyId } = await asLogin(test.pool, ({ tx }) => insertCompany(tx, about))
  return { companyId, name }
}

export interface TestUser {
  id: string
  identityId: string
  companyId: number
  fullname: string
  email: string
  role: Role
  /** Logged in already. */
  token: string
}

interface UserSpec {
  company?: { companyId: number }
  role?: Role
  fullname?: string
  email?: string
  phone?: string | null
  locale?: string
  timezone?: string
  /** The notification settings. */
  settings?: { quiet_from?: string; quiet_to?: string; push?: boolean; place_mail?: boolean }
  /** Those that take pushes. */
  browsers?: readonly { endpoint: string; p256dh: string; auth: string }[]
}

/** Somebody who has verified their address, logs in with `password`, and is logged in. Default: an Admin. */
export async function buildUser(test: Stage, given: UserSpec = {}): Promise<TestUser> {
  const { companyId } = given.company ?? (await buildCompany(test))
  const number = next()
  const { role = 'admin', fullname = `Person ${number}`, email = `person${number}@example.test` } = given
  const { locale = 'en', timezone = 'UTC', phone = null, settings, browsers = [] } = given
  const now = test.clock.now()
  const id = await inCompany(test, companyId, async (ctx) => {
    const about = { fullname, email, role, locale, timezone, phone, status: 'active', created_at: now }
    const user = await insertUser(ctx.tx, { company_id: companyId, ...about })
    const itself = { ...ctx, person: { ...ctx.person, id: user.id } }
    if (settings) await writeSettings(itself, { ...settings, updated_at: now })
    for (const browser of browsers) await keepBrowser(itself, browser)
    return user.id
  })
  const identityId = await asLogin(test.pool, async ({ tx }) => {
    const created = await createIdentity(tx, { email, companyId, userId: id, passwordHash, now })
    if (!created) throw new Error(`${email} is somebody's already`)
    await setPassword(tx, created, passwordHash, now)
    return created
  })
  const user = { id, identityId, companyId, fullname, email, role }
  return { ...user, token: await token(test, user) }
}

/** Another session of a person, without the cost of a login. */
export const token = (test: Stage, user: { identityId: string; role?: Role }): Promise<string> =>
  asLogin(test.pool, ({ tx }) =>
    openSession(tx, user.identityId, {
      isAdmin: user.role === 'admin',
      now: test.clock.now(),
      address: '127.0.0.1',
      agent: 'test',
    }),
  )

/** A matrix in which only the permissions given are on. */
export const only = (...granted: Permission[]): PermissionMatrix => {
  const matrix = structuredClone(defaultMatrix.admin)
  for (const permission of permissions) {
    const [module, action] = permission.split('.') as [keyof PermissionMatrix, 'view' | 'addOrEdit' | 'export']
    matrix[module][action] = granted.includes(permission)
  }
  return matrix
}

/** Sets what a role may do in a company, as an Admin would. */
export const setMatrix = (test: Stage, companyId: number, role: 'manager' | 'staff', matrix: PermissionMatrix) =>
  inTenant(test.pool, companyId, ({ tx }) =>
    tx
      .insertInto('role_permissions')
      .values({ company_id: companyId, role, matrix: JSON.stringify(matrix) })
      .onConflict((conflict) =>
        conflict.columns(['company_id', 'role']).doUpdateSet({ matrix: JSON.stringify(matrix) }),
      )
      .execute(),
  )
