import type { Role } from '@isotherm/contract/permissions.ts'
import { insertCompany } from '../core/company/company-queries.ts'
import { openTrial } from '../core/devices/trial.ts'
import { insertUser } from '../core/people/users.ts'
import { writeAudit } from '../platform/audit/audit.ts'
import { createIdentity, findIdentity, setPassword } from '../platform/auth/identities.ts'
import { checkPassword, hashPassword, ownAddress } from '../platform/auth/passwords.ts'
import { endSessions } from '../platform/auth/sessions.ts'
import { asLogin, type Tx, withTenant } from '../platform/db/transaction.ts'
import type { Services } from '../platform/services.ts'
import { demoActor, demoOrigin } from './actor.ts'

export interface DemoPerson {
  email: string
  fullname: string
  role: Role
}

/** A company of the demo; the first of its people is an Admin. */
export interface DemoCompany {
  name: string
  country: string
  timezone: string
  city: string
  industry: string
  people: readonly [DemoPerson, ...DemoPerson[]]
}

type Tools = Pick<Services, 'pool' | 'clock' | 'config'>

/** Makes a company with its people, or finds it by its Admin's address, and sees to it that the password opens it. */
export async function ensureCompany(
  tools: Tools,
  company: DemoCompany,
  password: string,
  since: Date,
): Promise<number> {
  const known = await asLogin(tools.pool, ({ tx }) => findIdentity(tx, company.people[0].email))
  if (known) {
    for (const { email } of company.people) await ensurePassword(tools, email, password)
    return known.companyId
  }
  const passwordHash = await hashPassword(password, ownAddress)
  return asLogin(tools.pool, async ({ tx }) => {
    const companyId = await createCompany(tools, tx, company, since)
    for (const person of company.people) {
      const userId = await createPerson(tx, companyId, company, person, since)
      const identity = { email: person.email, companyId, userId, passwordHash, now: since }
      const id = await createIdentity(tx, identity)
      if (!id) throw new Error(`${person.email} is somebody's already`)
      await setPassword(tx, id, passwordHash, since)
    }
    return companyId
  })
}

async function createCompany(services: Tools, tx: Tx, company: DemoCompany, since: Date): Promise<number> {
  const { name, country, timezone, city, industry } = company
  const row = await insertCompany(tx, { name, country, timezone, locale: 'en', created_at: since })
  const companyId = row.company_id
  await withTenant(tx, companyId, async () => {
    await tx
      .updateTable('companies')
      .set({ city, industry, profile_completed_at: since })
      .where('company_id', '=', companyId)
      .execute()
    await openTrial({ tx, companyId, services }, services.clock.now())
    await writeAudit(tx, companyId, { actor: demoActor, origin: demoOrigin, at: since }, [
      { action: 'company.registered', target: { kind: 'company', id: String(companyId), name }, after: { name } },
    ])
  })
  return companyId
}

const createPerson = (tx: Tx, companyId: number, { timezone }: DemoCompany, person: DemoPerson, since: Date) =>
  withTenant(tx, companyId, async () => {
    const { fullname, email, role } = person
    const about = { company_id: companyId, timezone, locale: 'en', created_at: since, status: 'active' }
    const row = await insertUser(tx, { ...about, fullname, email, role, terms_accepted_at: since })
    await writeAudit(tx, companyId, { actor: demoActor, origin: demoOrigin, at: since }, [
      { action: 'users.invited', target: { kind: 'user', id: row.id, name: fullname }, after: { email, role } },
    ])
    return row.id
  })

/** A password given anew replaces the one before, and ends who is logged in by it. */
async function ensurePassword({ pool, clock }: Tools, email: string, password: string): Promise<void> {
  const identity = await asLogin(pool, ({ tx }) => findIdentity(tx, email))
  if (!identity || (await checkPassword(password, identity.passwordHash, ownAddress))) return
  const hash = await hashPassword(password, ownAddress)
  await asLogin(pool, async ({ tx }) => {
    await setPassword(tx, identity.id, hash, clock.now())
    await endSessions(tx, identity.id)
  })
}
