import { stringify } from 'csv-stringify/sync'
import type { UserRow } from '../../platform/auth/users.ts'

const rights: Record<string, string> = { admin: 'Admin', manager: 'Manager', staff: 'Staff' }

/** users.csv. A name that a spreadsheet would take for a formula is defused by an apostrophe. */
export const usersCsv = (users: UserRow[]): string =>
  stringify(
    users.map((user) => [user.fullname, user.email, rights[user.role] ?? user.role]),
    { header: true, columns: ['name', 'email', 'user rights'], escape_formulas: true, record_delimiter: 'windows' },
  )
