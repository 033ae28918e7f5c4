import type { People } from '../../platform/auth/people.ts'
import { watchPlan } from '../company/plan-limits.ts'
import { refuseExpired } from '../company/subscription.ts'
import { findKey } from '../developer/find-key.ts'
import { sandboxNow } from '../sandbox/clock-queries.ts'
import { loadPerson } from './person.ts'

export const people: People = { find: loadPerson, findKey, sandboxNow, refuseExpired, watchPlan }
