import { createHash } from 'node:crypto'
import { judgementOf } from '@isotherm/contract/device-limits.ts'
import { type Rules, ruleAt } from '../../../domain/rules.ts'
import { canonical } from '../../../platform/audit/audit.ts'
import { type Judge, lineOf, openSnapshot, type Row } from '../../../reporting/readings.ts'
import type { ReportContent } from '../content.ts'
import type { WriterOrder } from '../run-writer.ts'

export interface Digest {
  readings: number
  /** Hex. */
  dataSha256: string
}

/** The source of every format. */
export interface ReportSource {
  content: ReportContent
  digest: Digest
  /** From the first to the last; some at a time. */
  rows(): AsyncIterable<Row[]>
}

/** The readings of a report, as its snapshot has them and its company may see them. */
export async function openReadings({ databaseUrl, snapshot }: WriterOrder, content: ReportContent) {
  const opened = await openSnapshot(databaseUrl, snapshot, content.companyId)

  async function* rows(onRows: (sofar: number) => void = () => {}): AsyncGenerator<Row[]> {
    let sofar = 0
    for await (const found of opened.rows(content.deviceId, Date.parse(content.period.from), content.until)) {
      yield found
      sofar += found.length
      onRows(sofar)
    }
  }

  return {
    rows,
    /** SHA-256 over the canonical JSON of what the report says, a line end, and a line for every reading. */
    async digest(): Promise<Digest> {
      const hash = createHash('sha256').update(`${canonical(evidenceOf(content))}\n`)
      let readings = 0
      for await (const found of rows()) {
        hash.update(found.map(lineOf).join(''))
        readings += found.length
      }
      return { readings, dataSha256: hash.digest('hex') }
    },
    close: opened.close,
  }
}

/** The evidence of the report: nothing that differs between two issues of the same data, such as who asked for it. */
export function evidenceOf({ deviceId, hardware, period, limits, stats, excursions }: ReportContent) {
  return {
    deviceId,
    hardware,
    period,
    limits,
    stats,
    excursions: excursions.map(({ deviceName: _, ...excursion }) => excursion),
  }
}

export const judgeBy =
  (rules: Rules): Judge =>
  (measure, value, at) => {
    const rule = ruleAt(rules[measure], at)
    return judgementOf(value, rule.min, rule.max)
  }
