import type { EndpointInput } from '@isotherm/contract/developer.ts'
import type { WebhookEndpoint } from '@isotherm/contract/webhooks.ts'
import type { Context } from '../../platform/context.ts'
import { invalidField } from '../../platform/errors/app-error.ts'
import { endpointsOf } from './endpoint-queries.ts'
import { addEndpoint, changeEndpoint } from './endpoint-verbs.ts'
import { presentEndpoint } from './present.ts'

export const listEndpoints = async (ctx: Context): Promise<WebhookEndpoint[]> =>
  (await endpointsOf(ctx)).map((row) => presentEndpoint(row, ctx.clock.now()))

/**
 * Makes and changes those that are listed, and leaves others as they are; resolves with the secret of each that was made, by id. Faults of an address
 * are at `webhooks.<index>.url`. Throws NOT_FOUND, LIMIT_REACHED, SUBSCRIPTION_EXPIRED, CHANGED_MEANWHILE or VALIDATION.
 */
export async function upsertEndpoints(ctx: Context, input: readonly EndpointInput[]): Promise<Map<string, string>> {
  const secrets = new Map<string, string>()
  for (const [index, { id, state, ...change }] of input.entries()) {
    const path = `webhooks.${index}.url`
    if (id !== undefined) {
      await changeEndpoint(ctx, id, { ...change, state }, path)
      continue
    }
    const { url, events, description = '', seesPrivate = false } = change
    if (url === undefined || events === undefined) throw invalidField(path, 'required')
    await ctx.services.people.refuseExpired(ctx.tx, ctx.companyId, ctx.clock.now())
    const made = await addEndpoint(ctx, { url, events, description, seesPrivate }, path)
    secrets.set(made.row.id, made.secret)
    if (state === 'off') await changeEndpoint(ctx, made.row.id, { state })
  }
  return secrets
}
