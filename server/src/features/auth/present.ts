import { type LoggedIn, type Profile, termsVersion } from '@isotherm/contract/auth.ts'
import { Locale } from '@isotherm/contract/common.ts'
import { type PermissionMatrix, Role } from '@isotherm/contract/permissions.ts'
import type { SecondStep } from '@isotherm/contract/second-factor.ts'
import { type CompanyRow, presentCompany } from '../../core/company/company.ts'
import type { UserRow } from '../../core/people/users.ts'

/** A person as they see themselves, with what their role may do now. */
export const presentProfile = (row: UserRow, permissions: PermissionMatrix): Profile => ({
  id: row.id,
  fullname: row.fullname,
  email: row.email,
  phone: row.phone,
  role: Role.parse(row.role),
  timezone: row.timezone,
  locale: Locale.parse(row.locale),
  loginCount: row.login_count,
  lastLoginAt: row.last_login_at?.toISOString() ?? null,
  roleModulePermissions: permissions,
})

/** Whether the person has yet to accept the terms as they are now. */
export const termsToShow = (row: UserRow): boolean => row.terms_accepted_at === null || row.terms_version < termsVersion

/** How the audit trail names a person, as the one who acts and as the one it happened to. */
export const actorOf = (row: UserRow) => ({ kind: 'user' as const, id: row.id, name: row.fullname, role: row.role })
export const targetOf = (row: UserRow) => ({ kind: 'user', id: row.id, name: row.fullname })

export interface OpenedSession extends SessionRows {
  accessToken: string
}

/** A login whose password was right and that goes on with a second factor. */
export interface WaitingLogin {
  token: string
  expiresAt: Date
  methods: ('code' | 'recoveryCode' | 'passkey')[]
}

/** The rows that a browser begins with. */
export interface SessionRows {
  user: UserRow
  permissions: PermissionMatrix
  company: CompanyRow
  /** The session may set a second factor up and nothing else. */
  mustEnrol: boolean
}

export const presentSession = ({ user, permissions, company, mustEnrol }: SessionRows, now: Date) => ({
  user: presentProfile(user, permissions),
  company: presentCompany(company, now),
  isShowTermsAndConditions: termsToShow(user),
  mustEnrol,
})

export const presentLogin = ({ accessToken, ...rows }: OpenedSession, now: Date): LoggedIn => ({
  tokens: { accessToken },
  ...presentSession(rows, now),
})

const presentStep = ({ expiresAt, ...rest }: WaitingLogin): SecondStep => ({
  secondFactor: { ...rest, expiresAt: expiresAt.toISOString() },
})

/** A login that is over, or goes on with a second factor. */
export const presentLoginOrStep = (login: OpenedSession | WaitingLogin, now: Date): LoggedIn | SecondStep =>
  'accessToken' in login ? presentLogin(login, now) : presentStep(login)

/** A person as the page of a mail link greets them. */
export const presentAddressee = ({ fullname, email }: { fullname: string; email: string }) => ({ fullname, email })

export const presentAddress = ({ email }: { email: string }) => ({ email })
