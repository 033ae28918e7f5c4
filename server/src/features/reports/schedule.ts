import type { Selectable } from 'kysely'
import type { ReportSchedule, RunPeriod } from '../../domain/report-schedule.ts'
import type { Reports } from '../../platform/db/schema.ts'

type Row = Pick<Selectable<Reports>, 'cadence' | 'weekday' | 'month_day' | 'run_time' | 'timezone'>

/** When a report runs, as the rules of the domain want it. */
export const scheduleOf = ({ cadence, weekday, month_day, run_time, timezone }: Row): ReportSchedule => ({
  cadence: cadence as ReportSchedule['cadence'],
  weekday,
  monthDay: month_day,
  time: run_time,
  zone: timezone,
})

/** The cadence that a run was made for; its report may have another one by now. */
export const cadenceOf = (run: { period_key: string }): ReportSchedule['cadence'] =>
  run.period_key.split(' ', 1)[0] as ReportSchedule['cadence']

/** The identity of a report's run: its cadence and the first day of its period. */
export const keyOf = (row: Pick<Row, 'cadence'>, period: RunPeriod): string => `${row.cadence} ${period.key}`
