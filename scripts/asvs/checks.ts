import type { Check } from './check.ts'
import { api } from './checks/api.ts'
import { authentication } from './checks/authentication.ts'
import { authorization } from './checks/authorization.ts'
import { browser } from './checks/browser.ts'
import { encoding } from './checks/encoding.ts'
import { factors } from './checks/factors.ts'
import { federation } from './checks/federation.ts'
import { files } from './checks/files.ts'
import { operation } from './checks/operation.ts'
import { sessions } from './checks/sessions.ts'
import { tokens } from './checks/tokens.ts'
import { validation } from './checks/validation.ts'

/** Every check, in the order of the standard's chapters. */
export const checks: Check[] = [
  ...encoding,
  ...validation,
  ...browser,
  ...api,
  ...files,
  ...authentication,
  ...factors,
  ...sessions,
  ...authorization,
  ...tokens,
  ...federation,
  ...operation,
]
