import type { Excursion, ExcursionAnnotation, ExcursionFigures } from '@isotherm/contract/excursions.ts'
import { degreeMinutes } from '../../domain/excursion.ts'
import { fromCenti, type Measure } from '../../domain/measures.ts'
import type { AnnotationRow, ExcursionRow, FiguresRow } from './queries.ts'

const iso = (at: number | string | Date) => new Date(at).toISOString()

/** An excursion as it is shown; what a lapsed licence hides of it is null. */
export function presentExcursion(row: ExcursionRow): Excursion {
  const hidden = row.hidden_at
  const isPeakShown = !hidden || row.peak_at < hidden
  const isEndShown = row.end_at && (!hidden || row.end_at < hidden)
  return {
    id: row.id,
    deviceId: String(row.device_id),
    deviceName: row.device_name,
    measure: row.measure,
    side: row.side,
    startAt: iso(row.start_at),
    endAt: isEndShown && row.end_at ? iso(row.end_at) : null,
    endedBy: isEndShown ? row.ended_by : null,
    durationMs: row.duration_ms,
    limit: row.limit_centi === null ? null : fromCenti(row.limit_centi),
    peak: isPeakShown ? fromCenti(row.peak_centi) : null,
    peakAt: isPeakShown ? iso(row.peak_at) : null,
    degreeMinutes: hidden ? null : degreeMinutes({ centiMs: row.centi_ms }),
    readings: hidden ? null : row.readings,
    isLate: row.late,
    amendedAt: row.amended_at && iso(row.amended_at),
    recordedAt: iso(row.recorded_at),
    isCutOff: hidden !== null,
    annotations: row.annotations.map(presentAnnotation),
  }
}

const presentAnnotation = (row: AnnotationRow): ExcursionAnnotation => ({
  cause: row.cause_key === null ? null : { key: row.cause_key, name: row.cause_name ?? row.cause_key },
  note: row.note,
  owner: row.owner_id === null ? null : { id: row.owner_id, name: row.owner_name ?? '' },
  from: iso(row.covers_from),
  to: iso(row.covers_to),
  changedAt: iso(row.changed_at),
  changedBy: row.changed_by_name,
})

/** The figures of a measure; zeros where it had no excursions. */
export function presentFigures(measure: Measure, rows: readonly FiguresRow[]): ExcursionFigures {
  const row = rows.find((each) => each.measure === measure)
  const { longest, highest, lowest } = row ?? { longest: null, highest: null, lowest: null }
  return {
    measure,
    count: row?.count ?? 0,
    open: row?.open ?? 0,
    aboveMs: row?.aboveMs ?? 0,
    belowMs: row?.belowMs ?? 0,
    longest: longest && { ...longest, startAt: iso(longest.startAt) },
    highest: highest && presentPeak(highest),
    lowest: lowest && presentPeak(lowest),
    late: row?.late ?? 0,
    amended: row?.amended ?? 0,
  }
}

const presentPeak = ({ id, value, at }: NonNullable<FiguresRow['highest']>) => ({
  id,
  value: fromCenti(value),
  at: iso(at),
})
