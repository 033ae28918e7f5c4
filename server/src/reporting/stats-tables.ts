import { intervalsHeld } from '../domain/measures.ts'
import type { Rules } from '../domain/rules.ts'
import { rulesWithin } from '../domain/stats.ts'
import type { DeviceReportData } from './device-report-data.ts'
import { dim, heading, type Paper, paragraph, textWidth, tones } from './paper.ts'
import { isPrinted, statsRows } from './stats-rows.ts'
import { keptTable, table } from './table.ts'
import type { Words } from './words.ts'

interface Judged extends Pick<DeviceReportData, 'period' | 'until'> {
  rules: Rules
}

/** The intervals of the period, whatever the device is set to now: who recounts how long a reading holds needs them. */
export function intervalsText({ t, time, duration, listed }: Words, { rules, period, until }: Judged): string {
  const told: string[] = []
  let before: number | undefined
  for (const { from, holdMs } of rulesWithin(rules.temperature, { from: Date.parse(period.from), to: until })) {
    if (holdMs === before) continue
    const interval = duration(holdMs / intervalsHeld)
    told.push(before === undefined ? interval : t('limits.intervalSince', { at: time(from), interval }))
    before = holdMs
  }
  return listed(told)
}

/** Says the intervals, where the facts do not. */
export function printIntervals(paper: Paper, content: Judged) {
  paragraph(paper, paper.words.t('limits.interval', { intervals: intervalsText(paper.words, content) }))
}

/** The limits that held, one after the other. */
export function printLimits(paper: Paper, { limits }: Pick<DeviceReportData, 'limits'>) {
  const { t, time, range } = paper.words
  heading(paper, t('limits.title'))
  if (limits.length === 0) return paragraph(paper, t('limits.none'))
  const half = textWidth / 4
  table(
    paper,
    [t('limits.from'), t('limits.to'), t('temperature'), t('humidity')].map((title) => ({ title, width: half })),
    limits.map((band) => [
      time(band.from),
      time(band.to),
      range(band.temperatureMinC, band.temperatureMaxC, '°C'),
      range(band.humidityMinPct, band.humidityMaxPct, '%'),
    ]),
  )
}

/** The figures of both measures, side by side. */
export function printStats(paper: Paper, content: Pick<DeviceReportData, 'stats' | 'limits'>) {
  const { words } = paper
  const { t } = words
  const printed = (['temperature', 'humidity'] as const).filter((measure) => isPrinted(content, measure))
  const own = (textWidth - 150) / printed.length
  keptTable(
    paper,
    t('stats.title'),
    [{ title: '', width: 150 }, ...printed.map((measure) => ({ title: t(measure), width: own }))],
    statsRows(words).map(([name, tell]) => [
      { text: name, color: dim },
      ...printed.map((measure) => {
        const field = tell(content.stats[measure], measure === 'temperature' ? words.celsius : words.percent)
        return typeof field === 'string'
          ? { text: field }
          : { text: field.text, color: tones[field.tone], strong: true }
      }),
    ]),
    t('stats.note'),
  )
}
