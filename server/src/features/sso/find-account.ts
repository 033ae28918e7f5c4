import { personalName } from '@isotherm/contract/common.ts'
import { findCompany } from '../../core/company/company.ts'
import { releaseAddress } from '../../core/people/unverified.ts'
import { findUser, insertUser, type UserRow, updateUser } from '../../core/people/users.ts'
import { type ConnectionRow, lockConnection } from '../../core/sso/connection-queries.ts'
import { provedDomains } from '../../core/sso/domain-queries.ts'
import { type Account, linkedUser, putLink, subjectOf } from '../../core/sso/link-queries.ts'
import type { AuditEntry } from '../../platform/audit/audit.ts'
import {
  createIdentity,
  type Identity,
  identityOf,
  lockIdentity,
  markVerified,
} from '../../platform/auth/identities.ts'
import type { TenantTx } from '../../platform/context.ts'
import { type Tx, withTenant } from '../../platform/db/transaction.ts'
import { membersByMail } from './account-queries.ts'
import { refuseForeignAccount, vouchedMail } from './judge-claims.ts'
import { SsoRefusal } from './refusal.ts'
import type { IssuerAnswer } from './take-answer.ts'

export interface FoundAccount {
  identity: Identity
  entries: AuditEntry[]
  /** As it is now, locked. */
  connection: ConnectionRow
}

/** Says whether the company may have one more person. Throws SsoRefusal. */
export type RoomCheck = (of: TenantTx) => Promise<() => Promise<void>>

/**
 * The login of the person whom an issuer speaks of: the one that was linked to this account of the issuer, else whoever of the company has the mail
 * address, who is linked to it from now on. Somebody whom nobody knows joins where the company says so. Throws SsoRefusal. As the login role.
 */
export async function findAccount(tx: Tx, told: IssuerAnswer, hasRoom: RoomCheck, now: Date): Promise<FoundAccount> {
  const { company_id: companyId } = told.connection
  refuseForeignAccount(told)
  const { user, entries, connection } = await withTenant(tx, companyId, () =>
    findPerson({ tx, companyId }, told, hasRoom, now),
  )
  const identity = await loginOf(tx, user, now)
  // Somebody may have been removed meanwhile.
  const still = await lockIdentity(tx, identity)
  if (!still) throw new SsoRefusal('ssoArchived', { email: user.email })
  await markVerified(tx, identity, now)
  return { identity: still, entries, connection }
}

const targetOf = ({ id, fullname }: UserRow) => ({ kind: 'user', id, name: fullname })

async function findPerson(of: TenantTx, told: IssuerAnswer, hasRoom: RoomCheck, now: Date) {
  const { issuer, client_id } = told.connection
  const account = { issuer, subject: told.claims.sub }
  // An Admin may have changed it, or its domains, while the issuer was asked. Locked: who switches it off ends the session that is opened here, or none is. And one
  // new account of a company at a time: of a double click the second finds what the first did.
  const connection = await lockConnection(of)
  if (connection?.issuer !== issuer || connection.client_id !== client_id || connection.state === 'off')
    throw new SsoRefusal('ssoOff')
  const linked = await linkedPerson(of, account)
  if (linked && !linked.archived_at) {
    await putLink(of, account, linked.id, now)
    return { user: linked, entries: [], connection }
  }
  const domains = await provedDomains(of)
  const found = await firstTime(of, { ...told, connection, domains }, account, hasRoom, now)
  await putLink(of, account, found.user.id, now)
  return { ...found, connection }
}

async function linkedPerson(of: TenantTx, account: Account): Promise<UserRow | undefined> {
  const id = await linkedUser(of, account)
  return id === undefined ? undefined : findUser(of.tx, of.companyId, id)
}

/** The person by their mail address. Throws SsoRefusal. */
async function firstTime(of: TenantTx, told: IssuerAnswer, account: Account, hasRoom: RoomCheck, now: Date) {
  const linked = await linkedPerson(of, account)
  if (linked && !linked.archived_at) return { user: linked, entries: [] }
  const email = vouchedMail(told)
  const [known] = await membersByMail(of, email)
  if (known?.archived_at || (linked && !known)) throw new SsoRefusal('ssoArchived', { email })
  // Addresses are given to somebody new now and then: who has an account at the issuer has no second one.
  if (known && (await subjectOf(of, account.issuer, known.id)) !== undefined)
    throw new SsoRefusal('ssoOtherAccount', { email })
  const user = known ? await activated(of, known) : await join(of, told, email, hasRoom, now)
  const entry: AuditEntry = { action: known ? 'sso.linked' : 'sso.joined', target: targetOf(user), after: { email } }
  return { user, entries: [entry] }
}

/** Joins somebody who was invited. */
const activated = async (of: TenantTx, user: UserRow): Promise<UserRow> =>
  user.status === 'invited' ? updateUser(of.tx, of.companyId, user.id, { status: 'active' }) : user

const Name = personalName(120)
/** For a person whose name and mail address both look like a link. */
const noName = '–'

/** Adds somebody whom nobody invited, where the company lets them in. Throws SsoRefusal. */
async function join(of: TenantTx, told: IssuerAnswer, email: string, hasRoom: RoomCheck, now: Date): Promise<UserRow> {
  const { join_role: role } = told.connection
  if (!role) throw new SsoRefusal('ssoUnknown', { email })
  const withinPlan = await hasRoom(of)
  const { timezone, locale } = await findCompany(of.tx, of.companyId)
  const names = [told.claims.name, email.slice(0, email.indexOf('@'))].map((name) => Name.safeParse(name).data)
  const fullname = names.find((name) => name !== undefined) ?? noName
  const about = { fullname, email, role, timezone, locale, status: 'active', created_at: now }
  const user = await insertUser(of.tx, { company_id: of.companyId, ...about })
  await withinPlan()
  return user
}

/** The login of a person, made where they have none. Throws SsoRefusal where the address is somebody's of another company. */
async function loginOf(tx: Tx, { company_id: companyId, id: userId, email }: UserRow, now: Date): Promise<string> {
  const known = await identityOf(tx, companyId, userId)
  if (known) return known.id
  await releaseAddress(tx, email, now)
  const created = await createIdentity(tx, { email, companyId, userId, passwordHash: null, now })
  if (!created) throw new SsoRefusal('ssoElsewhere', { email })
  return created
}
