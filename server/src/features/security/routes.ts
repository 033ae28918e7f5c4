import type { security } from '@isotherm/contract/security.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { prove, waysToProve } from './proof.ts'

export const securityHandlers: Handlers<typeof security> = {
  waysToProve: async (ctx) => ({ methods: await waysToProve(ctx) }),
  prove: (ctx, { body }) => prove(ctx, body),
}
