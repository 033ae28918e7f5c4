import type { sandbox } from '@isotherm/contract/sandbox.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { presentSandbox } from './present.ts'
import { endSandbox, makeSandbox, openSandbox, type SandboxParts, showSandbox } from './verbs.ts'

export const sandboxHandlers = (parts: SandboxParts): Handlers<typeof sandbox> => ({
  async show(ctx) {
    const known = await showSandbox(ctx)
    return { sandbox: known && presentSandbox(known) }
  },
  make: async (ctx) => presentSandbox(await makeSandbox(ctx, parts)),
  open: async (ctx) => ({ accessToken: await openSandbox(ctx) }),
  end: (ctx) => endSandbox(ctx, parts),
})
