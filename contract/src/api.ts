import { auth } from './auth.ts'
import type { Calls } from './call.ts'
import { company } from './company.ts'
import { users } from './users.ts'

/** Every call there is, by feature: OpenAPI and the test matrix are made from it. */
export const api = { auth, company, users } satisfies Record<string, Calls>
