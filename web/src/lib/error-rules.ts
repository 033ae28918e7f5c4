import type { CallError } from './call-error.ts'
import { proofWanted } from './proof.ts'
import { logOut } from './session.ts'
import { toastError } from './toast.ts'

/**
 * Handles a failed call, in one place (DESIGN section 4): 400 and 403 toast their message, a 422 each of its
 * messages; 403 and 401 log out, 401 quietly. Everything else only rejects. `sentToken` false: the call needed no login;
 * `isQuiet`: the screen shows what was refused.
 */
export function applyErrorRules(error: CallError, how: { toastAll: boolean; sentToken: boolean; isQuiet?: boolean }) {
  // The person was asked for it, and would not: the screen stays as it is.
  if (proofWanted(error.code)) return
  if (how.isQuiet && (error.status === 422 || error.status === 400)) return
  if (error.status === 422) for (const message of error.messages) toastError(message)
  else if (error.status === 400 || error.status === 403) toastError(error.message)
  else if (how.toastAll && error.status !== 401) toastError(error.message)
  if (how.sentToken && (error.status === 401 || error.status === 403))
    logOut({ isOver: error.status === 401, isByHand: false })
}
