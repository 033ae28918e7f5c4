import type { Context } from '../../platform/context.ts'

/** A receiver of events as people are shown it (`Endpoint` of contract/src/webhooks.ts), and what they send to make or change one. */
export interface EndpointDesk<Endpoint extends object = object, NewEndpoint extends object = object> {
  /** The endpoints of the company, newest first; secrets are not among what is shown. */
  listEndpoints(ctx: Context): Promise<Endpoint[]>
  /** Makes those without an id, changes those with one, and leaves the others; `secret` is of one that was made, and is told this once. */
  upsertEndpoints(ctx: Context, input: NewEndpoint[]): Promise<{ endpoint: Endpoint; secret?: string }[]>
}
