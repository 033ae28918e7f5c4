import type { EndpointWithSecret, WebhookEndpoint } from '@isotherm/contract/webhooks.ts'
import type { Context } from '../../platform/context.ts'
import { endpointsOf } from './endpoint-queries.ts'
import { addEndpoint, changeEndpoint } from './endpoint-verbs.ts'
import { presentEndpoint } from './present.ts'

/** An endpoint as one call for the whole of a company's developer settings names it: with `id` it is changed, without it is made. */
export interface EndpointInput {
  id?: string | undefined
  url: string
  events: WebhookEndpoint['events']
  description?: string | undefined
  seesPrivate?: boolean | undefined
  state?: 'on' | 'off' | undefined
}

export const listEndpoints = async (ctx: Context): Promise<WebhookEndpoint[]> =>
  (await endpointsOf(ctx)).map((row) => presentEndpoint(row, ctx.clock.now()))

/**
 * Makes and changes those that are listed, and leaves others as they are; answers all, with the secret of each that was made. Faults of an address
 * are at `webhooks.<index>.url`. Throws NOT_FOUND, LIMIT_REACHED, SUBSCRIPTION_EXPIRED or VALIDATION.
 */
export async function upsertEndpoints(
  ctx: Context,
  input: readonly EndpointInput[],
): Promise<(WebhookEndpoint | EndpointWithSecret)[]> {
  const secrets = new Map<string, string>()
  for (const [index, { id, state, ...fields }] of input.entries()) {
    const path = `webhooks.${index}.url`
    if (id !== undefined) {
      await changeEndpoint(ctx, id, { ...defined(fields), ...(state && { state }) }, path)
      continue
    }
    await ctx.services.people.refuseExpired(ctx.tx, ctx.companyId, ctx.clock.now())
    const made = await addEndpoint(ctx, { description: '', seesPrivate: false, ...defined(fields) }, path)
    secrets.set(made.row.id, made.secret)
    if (state === 'off') await changeEndpoint(ctx, made.row.id, { state })
  }
  return (await listEndpoints(ctx)).map((one) => {
    const secret = secrets.get(one.id)
    return secret ? { ...one, secret } : one
  })
}

/** The fields that are there. */
function defined({ url, events, description, seesPrivate }: Omit<EndpointInput, 'id' | 'state'>) {
  return {
    url,
    events,
    ...(description !== undefined && { description }),
    ...(seesPrivate !== undefined && { seesPrivate }),
  }
}
