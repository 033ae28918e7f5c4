import { z } from 'zod'
import { del, get, post } from './call.ts'
import { Done, Instant } from './common.ts'

/** As many sandboxes a company may make within 24 hours: ended ones count. */
export const maxSandboxesPerDay = 5
/** The mail domain of the person in whose name a sandbox is opened: no mail reaches it, and none is sent there. */
export const sandboxDomain = 'sandbox.invalid'
export const isOfSandbox = (email: string): boolean => email.endsWith(`@${sandboxDomain}`)

/** The company beside the one that made it, in which integrators try things: nothing is paid there, and nobody is written to. */
export const Sandbox = z.object({
  name: z.string(),
  madeAt: Instant,
  madeBy: z.string(),
})
export type Sandbox = z.infer<typeof Sandbox>

const admin = { needs: 'admin' } as const

export const sandbox = {
  show: get('/developer/sandbox', {
    ...admin,
    summary: 'The sandbox of the company; null where there is none',
    returns: z.object({ sandbox: Sandbox.nullable() }),
  }),
  make: post('/developer/sandbox', {
    ...admin,
    begins: 'other',
    summary: 'Makes a sandbox, a company of its own with devices whose readings are made up and a clock that is wound',
    returns: Sandbox,
  }),
  open: post('/developer/sandbox/open', {
    ...admin,
    needsProof: true,
    summary: 'Opens a session in the sandbox, which ends with the session that calls',
    returns: z.object({ accessToken: z.string() }),
  }),
  end: del('/developer/sandbox', {
    ...admin,
    summary: 'Ends the sandbox with its sessions, keys, endpoints and devices',
    returns: Done,
  }),
}
