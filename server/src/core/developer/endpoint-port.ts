import type { Context } from '../../platform/context.ts'
import { invalidField } from '../../platform/errors/app-error.ts'

/**
 * The part of the feature webhooks in the calls `enterprise/developer`, which keys and endpoints share. `Endpoint` is what people are shown,
 * `Change` what they send (contract/src/developer.ts).
 */
export interface EndpointDesk<Endpoint extends object = object, Change extends object = object> {
  /** The names of all events that an endpoint can choose. */
  events: readonly string[]
  /** The endpoints of the company, newest first; secrets are not among what is shown. */
  listEndpoints(ctx: Context): Promise<Endpoint[]>
  /** Makes those without an id, changes those with one, and leaves the others; `secret` is of one that was made, and is told this once. */
  upsertEndpoints(ctx: Context, input: Change[]): Promise<{ endpoint: Endpoint; secret?: string }[]>
}

/** The desk of an installation without webhooks. */
export const noEndpoints: EndpointDesk<never, object> = {
  events: [],
  listEndpoints: async () => [],
  async upsertEndpoints(_, input) {
    if (input.length > 0) throw invalidField('webhooks', 'unknown')
    return []
  },
}
