import { Role } from '@isotherm/contract/permissions.ts'
import { User } from '@isotherm/contract/users.ts'
import type { UserRow } from '../../core/people/users.ts'
import { linkLifetimeMs } from '../../platform/auth/mail-links.ts'

// Invitations before migration 0033 have no end in the table: the first one counts.
const invitationEnd = (row: UserRow) =>
  row.invitation_ends_at ?? new Date(row.created_at.getTime() + linkLifetimeMs.invite)

/** A team member as colleagues see them. */
export const presentUser = (row: UserRow): User => ({
  id: row.id,
  fullname: row.fullname,
  email: row.email,
  role: Role.parse(row.role),
  phone: row.phone,
  status: User.shape.status.parse(row.status),
  invitationEndsAt: row.status === 'invited' ? invitationEnd(row).toISOString() : null,
  lastLoginAt: row.last_login_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
})

/** How the audit trail names them. */
export const target = (row: UserRow) => ({ kind: 'user', id: row.id, name: row.fullname })
