import type { alarms } from '@isotherm/contract/alarms.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import { LinkedTriggers, type TriggerQuery } from '@isotherm/contract/triggers.ts'
import type { Context } from '../../platform/context.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { acknowledgeByLink, checkLink, type LinkedRows } from './acknowledge-by-link.ts'
import { addAlarm } from './add-alarm.ts'
import { alarmsCsv } from './alarms-csv.ts'
import { backTest } from './back-test.ts'
import { changeAlarm } from './change-alarm.ts'
import { criticalsOf } from './criticals.ts'
import { silencedAlarms } from './faults-sql.ts'
import { handleTrigger, handleTriggers } from './handle-triggers.ts'
import { outsideSoFar } from './outside-so-far.ts'
import { presentAlarm, presentOutside, presentWebhookKey } from './present.ts'
import { presentBackTest } from './present-back-test.ts'
import { presentTrigger } from './present-trigger.ts'
import { pushTest } from './push-test.ts'
import { type AlarmRow, alarmCounts, listAlarms, loadAlarm } from './queries.ts'
import { removeAlarm } from './remove-alarm.ts'
import { resolveOver } from './resolve-over.ts'
import { snoozeAlarm, snoozeAll } from './snooze.ts'
import { listTriggers, loadTrigger, type TriggerRow } from './trigger-queries.ts'
import { rotateWebhookKey, showWebhookKey } from './webhook-key.ts'

/** Functions of other features that alarms need. */
export interface AlarmSources {
  nearestTownName(lat: number, lon: number): string | null
}

export function alarmHandlers({ nearestTownName }: AlarmSources): Handlers<typeof alarms> {
  const present = (ctx: Context, row: TriggerRow) => presentTrigger(ctx, row, nearestTownName)
  const page = async (ctx: Context, query: TriggerQuery) => {
    const { rows, total, ...counted } = await listTriggers(ctx, query)
    return { data: rows.map((row) => present(ctx, row)), meta: metaOf(query, total), ...counted }
  }
  // Only what its schema has: whoever holds the link is not logged in.
  const linked = ({ ctx, rows }: LinkedRows) =>
    LinkedTriggers.parse({ fullname: ctx.person.fullname, triggers: rows.map((row) => present(ctx, row)) })
  const one = async (ctx: Context, row: Promise<AlarmRow>) => presentAlarm(ctx, await row)
  return {
    list: async (ctx, { query }) => ({
      ...presentPage(query, await listAlarms(ctx, query), (row) => presentAlarm(ctx, row)),
      filterCounts: await alarmCounts(ctx, query),
    }),
    exportCsv: (ctx, { query }) => alarmsCsv(ctx, query),
    add: (ctx, { body }) => one(ctx, addAlarm(ctx, body)),
    addFence: (ctx, { body }) => one(ctx, addAlarm(ctx, body)),
    addValue: (ctx, { body }) => one(ctx, addAlarm(ctx, body)),
    backTest: async (ctx, { body }) => presentBackTest(await backTest(ctx, body)),
    snoozeAll: async (ctx, { body }) => ({ changed: await snoozeAll(ctx, body.until) }),
    webhookKey: async (ctx) => presentWebhookKey(await showWebhookKey(ctx)),
    rotateWebhookKey: async (ctx) => presentWebhookKey(await rotateWebhookKey(ctx)),
    silenced: (ctx, { query }) => silencedAlarms(ctx, query),
    one: (ctx, { params }) => one(ctx, loadAlarm(ctx, params.id)),
    change: (ctx, { params, body }) => one(ctx, changeAlarm(ctx, params.id, body)),
    changeFence: (ctx, { params, body }) => one(ctx, changeAlarm(ctx, params.id, body)),
    remove: (ctx, { params }) => removeAlarm(ctx, params.id),
    snooze: (ctx, { params, body }) => one(ctx, snoozeAlarm(ctx, params.id, body.until)),
    test: async (ctx, { params }) => ({ messages: await pushTest(ctx, params.id) }),
    async triggersOf(ctx, { params, query }) {
      await loadAlarm(ctx, params.id)
      return page(ctx, { ...query, alarm: params.id })
    },
    outside: async (ctx, { params }) => ({ data: (await outsideSoFar(ctx, params.id)).map(presentOutside) }),
    triggers: (ctx, { query }) => page(ctx, query),
    trigger: async (ctx, { params }) => present(ctx, await loadTrigger(ctx, params.id)),
    acknowledge: async (ctx, { params, body }) =>
      present(ctx, await handleTrigger(ctx, params.id, { action: 'acknowledge', note: body.note })),
    resolve: async (ctx, { params, body }) =>
      present(ctx, await handleTrigger(ctx, params.id, { action: 'resolve', note: body.note })),
    bulk: (ctx, { body }) => handleTriggers(ctx, body.ids, body),
    resolveOver: (ctx, { body }) => resolveOver(ctx, body),
    checkLink: async (ctx, { body }) => linked(await checkLink(ctx, body.token)),
    acknowledgeByLink: async (ctx, { body }) => linked(await acknowledgeByLink(ctx, body.token)),
    criticals: async (ctx, { query }) => presentPage(query, await criticalsOf(ctx, query), (row) => present(ctx, row)),
  }
}
