import { alarmTable } from '../../../reporting/alarm-table.ts'
import { charts } from '../../../reporting/chart.ts'
import { excursionTable } from '../../../reporting/excursion-table.ts'
import type { Paper } from '../../../reporting/paper.ts'
import type { ReportContent } from '../content.ts'
import { type Ground, mapSketch } from './map-sketch.ts'

/** The chosen contents of a device between its statistics and its readings. */
export function printChosen(paper: Paper, content: ReportContent, ground: Ground | null) {
  const { contents } = content
  if (contents.includes('charts')) {
    charts(paper, content)
    mapSketch(paper, content, ground)
  }
  if (contents.includes('excursions')) excursionTable(paper, content)
  if (contents.includes('alarms')) alarmTable(paper, content)
}
