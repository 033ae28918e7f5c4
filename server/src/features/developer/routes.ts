import { apiBase } from '@isotherm/contract/call.ts'
import type { developer } from '@isotherm/contract/developer.ts'
import type { EndpointDesk } from '../../core/developer/endpoint-port.ts'
import { listKeyRows } from '../../core/developer/key-queries.ts'
import type { Context } from '../../platform/context.ts'
import type { Before, Handlers } from '../../platform/http/serve.ts'
import type { CallLog } from './call-log.ts'
import { listCalls } from './call-queries.ts'
import { presentCall, presentKey, presentRotated } from './present.ts'
import { rotateKey, rotateOnlyKey } from './rotate-key.ts'
import { revokeKey, saveKeys } from './save-keys.ts'

/** The calls of keys, and those that keys share with endpoints; `desk` is of the feature that has the endpoints. */
export const developerHandlers = (desk: EndpointDesk): Handlers<typeof developer> => ({
  settings: (ctx) => settings(ctx, desk, new Map()),
  async save(ctx, { body }) {
    const saved = await saveKeys(ctx, body.keys ?? [])
    const ofEndpoints = await desk.upsertEndpoints(ctx, body.webhooks ?? [])
    return settings(ctx, desk, new Map(saved.map(({ row, secret }) => [row.id, secret])), ofEndpoints)
  },
  refresh: async (ctx, { query: { keyId } }) =>
    presentRotated(await (keyId ? rotateKey(ctx, keyId) : rotateOnlyKey(ctx)), ctx.clock.now()),
  rotate: async (ctx, { params }) => presentRotated(await rotateKey(ctx, params.id), ctx.clock.now()),
  revoke: (ctx, { params }) => revokeKey(ctx, params.id),
  async calls(ctx, { query }) {
    const rows = await listCalls(ctx, query)
    const shown = rows.slice(0, query.limit)
    return { data: shown.map(presentCall), next: rows.length > query.limit ? (shown.at(-1)?.id ?? null) : null }
  },
})

/** Somebody looks while they try a key: the calls of the last second are written before. */
export const beforeDeveloper = (calls: CallLog): Before<typeof developer> => ({ calls: () => calls.flush() })

async function settings(
  ctx: Context,
  desk: EndpointDesk,
  ofKeys: ReadonlyMap<string, string | undefined>,
  ofEndpoints: ReadonlyMap<string, string> = new Map(),
) {
  const now = ctx.clock.now()
  const keys = await listKeyRows(ctx, now)
  const endpoints = await desk.listEndpoints(ctx)
  return {
    keys: keys.map((row) => ({ ...presentKey(row, now), secret: ofKeys.get(row.id) })),
    endpoints: endpoints.map((each) => ({ ...each, secret: ofEndpoints.get(each.id) })),
    events: [...desk.events],
    docsUrl: `${ctx.services.config.publicUrl}${apiBase}/docs`,
  }
}
