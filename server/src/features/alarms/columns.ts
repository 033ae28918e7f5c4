import type { AlarmChange, NewAlarm } from '@isotherm/contract/alarms.ts'

/** The plain settings of an alarm as the table has them; what is undefined stays. */
export const columnsOf = <T extends NewAlarm | AlarmChange>(alarm: T) => ({
  name: alarm.name as T['name'],
  severity: alarm.severity as T['severity'],
  visibility: alarm.visibility as T['visibility'],
  schedule: alarm.schedule && JSON.stringify(alarm.schedule),
  notify_normal: alarm.notifyNormal,
  reminder_minutes: alarm.reminderMinutes,
  escalate_minutes: alarm.escalateMinutes,
})
