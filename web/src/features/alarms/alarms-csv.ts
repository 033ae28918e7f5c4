import type { Recipient } from '@isotherm/contract/alarm-recipients.ts'
import type { Alarm } from '@isotherm/contract/alarms.ts'
import { csvOf } from '../../lib/csv.ts'

const header = [
  'name',
  'severity',
  'visibility',
  'rule',
  'devices',
  'groups',
  'recipients',
  'snoozed_until_utc',
  'open_triggers',
  'last_triggered_utc',
  'created_utc',
]

const utc = (at: string | null) => at && new Date(at).toISOString()
const who = ({ name, address, channels }: Recipient) => `${name ?? address} (${channels.join(' ')})`

/** alarms.csv: one line per alarm, times in UTC; `words` says what an alarm's rule is. */
export const alarmsCsv = (alarms: readonly Alarm[], words: (alarm: Alarm) => string): string =>
  csvOf([
    header,
    ...alarms.map((alarm) => [
      alarm.name,
      alarm.severity,
      alarm.visibility,
      words(alarm),
      alarm.deviceCount,
      alarm.groups.map(({ name }) => name).join('; '),
      alarm.recipients.map(who).join('; '),
      utc(alarm.snoozedUntil),
      alarm.openTriggers,
      utc(alarm.lastTriggeredAt),
      utc(alarm.createdAt),
    ]),
  ])
