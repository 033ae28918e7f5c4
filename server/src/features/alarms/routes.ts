import type { alarms } from '@isotherm/contract/alarms.ts'
import { done } from '@isotherm/contract/common.ts'
import { metaOf } from '@isotherm/contract/paging.ts'
import type { TriggerQuery } from '@isotherm/contract/triggers.ts'
import { AppError, invalidField } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { alarmsCsv } from './alarms-csv.ts'
import { backTest } from './back-test.ts'
import { silencedAlarms } from './faults-sql.ts'
import { handleTrigger, handleTriggers } from './handle-triggers.ts'
import { presentAlarm } from './present.ts'
import { presentTrigger } from './present-trigger.ts'
import { pushTest } from './push-test.ts'
import { listAlarms } from './queries.ts'
import { addAlarm, changeAlarm, loadAlarm, removeAlarm } from './save-alarm.ts'
import { snoozeAlarm, snoozeAll } from './snooze.ts'
import { findTriggers, listCriticals, listTriggers, type TriggerRow } from './trigger-queries.ts'
import { getWebhookKey, rotateWebhookKey } from './webhook-key.ts'

/** Functions of other features that alarms need. */
export interface AlarmSources {
  nearestTownName(lat: number, lon: number): string | null
}

export function alarmHandlers({ nearestTownName }: AlarmSources): Handlers<typeof alarms> {
  const present = (ctx: Context, row: TriggerRow) => presentTrigger(ctx, row, nearestTownName)
  const page = async (ctx: Context, query: TriggerQuery) => {
    const { rows, counts, total } = await listTriggers(ctx, query)
    return { data: rows.map((row) => present(ctx, row)), meta: metaOf(query, total), counts }
  }
  return {
    async list(ctx, { query }) {
      const { rows, total } = await listAlarms(ctx, query)
      return { data: rows.map((row) => presentAlarm(ctx, row)), meta: metaOf(query, total) }
    },
    exportCsv: (ctx, { query }) => alarmsCsv(ctx, query),
    add: (ctx, { body }) => addAlarm(ctx, body),
    addFence: (ctx, { body }) => addAlarm(ctx, body),
    addValue: (ctx, { body }) => addAlarm(ctx, body),
    backTest: (ctx, { body }) => backTest(ctx, body),
    snoozeAll: (ctx, { body }) => snoozeAll(ctx, body.until),
    webhookKey: (ctx) => getWebhookKey(ctx),
    rotateWebhookKey: (ctx) => rotateWebhookKey(ctx),
    silenced: (ctx, { query }) => silencedAlarms(ctx, query),
    one: (ctx, { params }) => loadAlarm(ctx, params.id),
    change: (ctx, { params, body }) => changeAlarm(ctx, params.id, body),
    async changeFence(ctx, { params, body }) {
      return changeAlarm(ctx, params.id, body)
    },
    async remove(ctx, { params }) {
      await removeAlarm(ctx, params.id)
      return done
    },
    snooze: (ctx, { params, body }) => snoozeAlarm(ctx, params.id, body.until),
    test: (ctx, { params }) => pushTest(ctx, params.id),
    async triggersOf(ctx, { params, query }) {
      await loadAlarm(ctx, params.id)
      return page(ctx, { ...query, alarm: params.id })
    },
    triggers: (ctx, { query }) => page(ctx, query),
    async trigger(ctx, { params }) {
      const [row] = await findTriggers(ctx, [params.id])
      if (!row) throw new AppError('NOT_FOUND')
      return present(ctx, row)
    },
    acknowledge: async (ctx, { params, body }) =>
      present(ctx, await handleTrigger(ctx, params.id, { action: 'acknowledge', note: body.note })),
    resolve: async (ctx, { params, body }) =>
      present(ctx, await handleTrigger(ctx, params.id, { action: 'resolve', note: body.note })),
    async bulk(ctx, { body }) {
      if (body.action === 'resolve' && !body.note) throw invalidField('note', 'required')
      return handleTriggers(ctx, body.ids, body)
    },
    async criticals(ctx, { query }) {
      if (!ctx.can('alarms.view')) return { data: [], meta: metaOf(query, 0) }
      const { rows, total } = await listCriticals(ctx, query)
      return { data: rows.map((row) => present(ctx, row)), meta: metaOf(query, total) }
    },
  }
}
