import type { ports } from '@isotherm/contract/ports.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { findPorts } from './find-ports.ts'
import { presentPort } from './present.ts'

export const portHandlers: Handlers<typeof ports> = {
  list: async (ctx, { query }) => (await findPorts(ctx, query)).map(presentPort),
}
