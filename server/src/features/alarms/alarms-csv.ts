import type { Recipient } from '@isotherm/contract/alarm-recipients.ts'
import type { AlarmQuery } from '@isotherm/contract/alarms.ts'
import { ruleSentence } from '@isotherm/contract/rule-sentence.ts'
import type { Context } from '../../platform/context.ts'
import { listCsv, maxRows } from '../../platform/http/list-csv.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { wordsOf } from '../../reporting/words.ts'
import { presentAlarm } from './present.ts'
import { listAlarms } from './queries.ts'

const columns = [
  ...['name', 'severity', 'visibility', 'rule', 'devices', 'groups', 'recipients', 'snoozed_until_utc'],
  ...['open_triggers', 'last_triggered_utc', 'created_utc'],
]

const whoOf = ({ name, address, channels }: Recipient) => `${name ?? address} (${channels.join(' ')})`

/** alarms.csv: a line per alarm that the person sees, its rule as a sentence in their language. */
export async function alarmsCsv(ctx: Context, query: Omit<AlarmQuery, 'page' | 'perPage'>) {
  const { locale } = ctx
  const { celsius, percent, duration } = wordsOf(locale, 'UTC')
  const t = (key: string, values: object = {}) => translate(locale, `alarms:${key}`, { ...values })
  const words = { locale, t, celsius, percent, duration }
  const { rows } = await listAlarms(ctx, { ...query, page: 1, perPage: maxRows })
  const lines = rows
    .map((row) => presentAlarm(ctx, row))
    .map((alarm) => [
      ...[alarm.name, alarm.severity, alarm.visibility, ruleSentence(alarm.rule, alarm.places, words)],
      ...[alarm.deviceCount, alarm.groups.map(({ name }) => name).join('; '), alarm.recipients.map(whoOf).join('; ')],
      ...[alarm.snoozedUntil, alarm.openTriggers, alarm.lastTriggeredAt, alarm.createdAt],
    ])
  ctx.audit({ action: 'alarms.exported', after: { count: lines.length } })
  return listCsv('alarms.csv', columns, lines)
}
