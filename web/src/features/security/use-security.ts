import { security } from '@isotherm/contract/security.ts'
import { refetchCalls } from '../../lib/query.ts'

/** Asks anew how the person's login is guarded, and how it may be proved. */
export const refetchSecurity = () => refetchCalls(security.own, security.waysToProve, security.sessions, security.rules)
