import type { Trigger } from '@isotherm/contract/triggers.ts'

/** An alarm that fired, as reports tell it. */
export interface ReportAlarm
  extends Pick<
    Trigger,
    'condition' | 'fence' | 'severity' | 'state' | 'openedAt' | 'normalAt' | 'limit' | 'peak' | 'note'
  > {
  alarmId: string
  alarm: string
  device: string
  acknowledgedBy: string | null
  resolvedBy: string | null
}

export const alarmOf = (one: Trigger): ReportAlarm => ({
  alarmId: one.alarmId,
  alarm: one.alarmName,
  device: one.deviceName,
  condition: one.condition,
  fence: one.fence,
  severity: one.severity,
  state: one.state,
  openedAt: one.openedAt,
  normalAt: one.normalAt,
  limit: one.limit,
  peak: one.peak,
  acknowledgedBy: one.acknowledgedBy?.name ?? null,
  resolvedBy: one.resolvedBy?.name ?? null,
  note: one.note,
})

/** The alarms of them, each once. */
export const alarmIdsOf = (fired: readonly ReportAlarm[]): string[] => [...new Set(fired.map(({ alarmId }) => alarmId))]
