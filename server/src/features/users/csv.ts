import type { UserRow } from '../../platform/auth/users.ts'
import { csvLines } from '../../platform/paper/csv-lines.ts'

const rights: Record<string, string> = { admin: 'Admin', manager: 'Manager', staff: 'Staff' }

/** users.csv. A name that a spreadsheet would take for a formula is defused by an apostrophe. */
export const usersCsv = (users: UserRow[]): string =>
  csvLines([
    ['name', 'email', 'user rights'],
    ...users.map((user) => [user.fullname, user.email, rights[user.role] ?? user.role]),
  ])
