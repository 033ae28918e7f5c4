import type { Permission, PermissionMatrix, Role } from '@isotherm/contract/permissions.ts'
import { defaultMatrix, permissions } from '@isotherm/contract/permissions.ts'
import { insertCompany } from '../src/core/company/company-queries.ts'
import { createIdentity, setPassword } from '../src/platform/auth/identities.ts'
import { hashPassword } from '../src/platform/auth/passwords.ts'
import { openSession } from '../src/platform/auth/sessions.ts'
import { asLogin, inTenant } from '../src/platform/db/transaction.ts'
import type { TestApp } from './harness.ts'

// Everything a factory makes lives in a company of its own, unless one is given, so that tests can run side by side.

export const password = 'correct horse battery'
let passwordHash: Promise<string> | undefined

let count = 0
const next = () => {
  count += 1
  return count
}

export interface TestCompany {
  companyId: number
  name: string
}

export async function buildCompany(test: TestApp, given: { name?: string } = {}): Promise<TestCompany> {
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

type FactoryOptions = {
  company?: { companyId: number }
  role?: Role
  fullname?: string
  email?: string
  locale?: string
}

/** Somebody who has verified their address, logs in with `password`, and is logged in. Default: an Admin. */
export async function buildUser(test: TestApp, given: FactoryOptions = {}): Promise<TestUser> {
  const { companyId } = given.company ?? (await buildCompany(test))
  const number = next()
  const { role = 'admin', fullname = `Person ${number}`, email = `person${number}@example.test`, locale = 'en' } = given
  const now = test.clock.now()
  const { id } = await inTenant(test.pool, companyId, ({ tx }) =>
    tx
      .insertInto('users')
      .values({
        company_id: companyId,
        fullname,
        email,
        role,
        locale,
        timezone: 'UTC',
        status: 'active',
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  passwordHash ??= hashPassword(password)
  const hash = await passwordHash
  const identityId = await asLogin(test.pool, async ({ tx }) => {
    const created = await createIdentity(tx, { email, companyId, userId: id, passwordHash: hash, now })
    if (!created) throw new Error(`${email} is somebody's already`)
    await setPassword(tx, created, hash, now)
    return created
  })
  const user = { id, identityId, companyId, fullname, email, role }
  return { ...user, token: await token(test, user) }
}

/** Another session of a person, without the cost of a login. */
export const token = (test: TestApp, user: { identityId: string; role?: Role }): Promise<string> =>
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
export const setMatrix = (test: TestApp, companyId: number, role: 'manager' | 'staff', matrix: PermissionMatrix) =>
  inTenant(test.pool, companyId, ({ tx }) =>
    tx
      .insertInto('role_permissions')
      .values({ company_id: companyId, role, matrix: JSON.stringify(matrix) })
      .onConflict((conflict) =>
        conflict.columns(['company_id', 'role']).doUpdateSet({ matrix: JSON.stringify(matrix) }),
      )
      .execute(),
  )
