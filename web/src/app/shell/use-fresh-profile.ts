import { auth } from '@isotherm/contract/auth.ts'
import { useCall } from '../../lib/query.ts'

/** Keeps the person's permissions and company fresh while the shell is open: asked on load and on return to the tab. */
export const useFreshProfile = () => useCall(auth.profile)
