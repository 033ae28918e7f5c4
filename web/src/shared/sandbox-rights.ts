import type { Call, Guard } from '@isotherm/contract/call.ts'
import { isOpenInSandbox } from '@isotherm/contract/sandbox-calls.ts'
import { openOnly } from '../lib/can.ts'

/** The rights that nobody has in a sandbox: each call that writes by one of them is closed there. */
export const closedRights: ReadonlySet<Guard> = new Set<Guard>([
  ...(['users.addOrEdit', 'payments.addOrEdit', 'reports.addOrEdit', 'dispatch.addOrEdit'] as const),
])

const isOpenHere = (what: Guard | Call): boolean =>
  typeof what === 'string' ? !closedRights.has(what) : isOpenInSandbox(what)

/** Closes in this tab what is closed in a sandbox. */
export const closeRights = () => openOnly(isOpenHere)
