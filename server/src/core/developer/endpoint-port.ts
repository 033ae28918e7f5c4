import type { EndpointInput } from '@isotherm/contract/developer.ts'
import type { ChosenEvent, WebhookEndpoint } from '@isotherm/contract/webhooks.ts'
import type { Context } from '../../platform/context.ts'

/** The part of the feature webhooks in the calls `enterprise/developer`, which keys and endpoints share. */
export interface EndpointDesk {
  /** The names of all events that an endpoint can choose. */
  events: readonly ChosenEvent[]
  /** The endpoints of the company; secrets are not among what is shown. */
  listEndpoints(ctx: Context): Promise<WebhookEndpoint[]>
  /** Makes those without an id, changes those with one, and leaves the others. Resolves with the secrets of those that were made, by id. */
  upsertEndpoints(ctx: Context, input: readonly EndpointInput[]): Promise<Map<string, string>>
}
