import { Role } from '@isotherm/contract/permissions.ts'
import { User } from '@isotherm/contract/users.ts'
import type { UserRow } from '../../platform/auth/users.ts'

/** A team member as colleagues see them. */
export const presentUser = (row: UserRow): User => ({
  id: row.id,
  fullname: row.fullname,
  email: row.email,
  role: Role.parse(row.role),
  phone: row.phone,
  status: User.shape.status.parse(row.status),
  lastLoginAt: row.last_login_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
})

/** How the audit trail names them. */
export const target = (row: UserRow) => ({ kind: 'user', id: row.id, name: row.fullname })
