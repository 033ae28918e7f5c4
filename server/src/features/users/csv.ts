import type { UserRow } from '../../core/people/users.ts'
import { csvLines } from '../../platform/http/csv-lines.ts'

const rights: Record<string, string> = { admin: 'Admin', manager: 'Manager', staff: 'Staff' }

/** users.csv, its first line word for word as the specification has it. A name that a spreadsheet would take for a formula is defused. */
export const usersCsv = (users: UserRow[]): string =>
  `name,email,user rights\r\n${csvLines(users.map((user) => [user.fullname, user.email, rights[user.role] ?? user.role]))}`
