import type { Writable } from 'node:stream'
import { alarmTable } from '../../../reporting/alarm-table.ts'
import { becauseOf } from '../../../reporting/because.ts'
import { charts } from '../../../reporting/chart.ts'
import { excursionTable } from '../../../reporting/excursion-table.ts'
import { factTable, periodText, proofFacts } from '../../../reporting/facts.ts'
import { type Frame, heading, openPaper, type Paper, paragraph, tones } from '../../../reporting/paper.ts'
import { footOf, maxPrintedReadings, pour, taken } from '../../../reporting/pdf.ts'
import { judgeBy, type Row } from '../../../reporting/readings.ts'
import { readingsTable } from '../../../reporting/readings-table.ts'
import { isPrinted, verdictTone } from '../../../reporting/stats-rows.ts'
import { printIntervals, printLimits, printStats } from '../../../reporting/stats-tables.ts'
import { textOf, wordsOf } from '../../../reporting/words.ts'
import { cover } from './cover.ts'
import { type DeviceDetail, maxLines, type RunOrder, readingsOf } from './order.ts'

/** The PDF: what it comes to, then every device, then the hash of the data. Written as the devices come. */
export async function openDocument(out: Writable, order: RunOrder, key: string) {
  const words = wordsOf(order.locale, order.zone)
  const t = textOf(order.locale)
  const period = periodText(words, order.period)
  const frame: Frame = {
    head: `${order.name} · ${period}`,
    foot: footOf(words, { key, issuedAt: order.issuedAt }),
    total: 'open',
  }
  const { name: title, locale, logo } = order
  const paper = await openPaper(words, { title, author: 'Isotherm', locale, logo }, frame)
  const poured = pour(paper, out)
  const counted = order.devices.reduce((sum, device) => sum + readingsOf(device), 0)
  const withReadings = order.contents.includes('readings') && counted <= maxPrintedReadings
  const hasPages = order.contents.length > 0
  let readings: ReturnType<typeof readingsTable> | undefined
  cover(paper, order, { key, counted, withReadings })
  return {
    async device(device: DeviceDetail) {
      frame.head = `${order.name} · ${device.name} · ${period}`
      if (hasPages) printDevice(paper, order, device)
      readings = withReadings ? readingsTable(paper, judgeBy(device.rules)) : undefined
      await taken(paper)
    },
    async readings(rows: readonly Row[]) {
      readings?.add(rows)
      if (readings) await taken(paper)
    },
    /** Ends it and resolves with its number of pages. */
    async close(dataSha256: string): Promise<number> {
      frame.head = `${order.name} · ${period}`
      // The part after a table of readings begins a new page.
      if (withReadings) paper.newPage()
      heading(paper, t('proof'), 60)
      factTable(paper, proofFacts(words, key, dataSha256, `${order.verifyBase}${key}`))
      paragraph(paper, words.t('hashNote'), { size: 7 })
      paper.doc.end()
      await poured
      return paper.pages
    },
  }
}

function printDevice(paper: Paper, { contents }: RunOrder, device: DeviceDetail) {
  const has = (part: RunOrder['contents'][number]) => contents.includes(part)
  const { words } = paper
  paper.newPage()
  heading(paper, [device.name, device.tag].filter(Boolean).join(' · '))
  paragraph(paper, [device.type, ...device.imeis].join(' · '))
  for (const measure of ['temperature', 'humidity'] as const) {
    if (!isPrinted(device, measure)) continue
    const stats = device.stats[measure]
    const color = tones[verdictTone[stats.verdict]]
    paragraph(
      paper,
      `${words.named(words.t(measure), words.t(`verdict.${stats.verdict}`))}. ${becauseOf(words, stats)}`,
      {
        color,
      },
    )
  }
  if (has('stats')) {
    printLimits(paper, device)
    printIntervals(paper, device)
    printStats(paper, device)
  }
  if (has('charts')) charts(paper, device)
  if (has('excursions')) {
    excursionTable(paper, { excursions: device.excursions.slice(0, maxLines.ofDevice) })
    printLeftOut(paper, device, device.excursions.length - maxLines.ofDevice)
  }
  if (has('alarms')) {
    alarmTable(paper, { ...device, alarms: device.alarms.slice(0, maxLines.ofDevice) })
    printLeftOut(paper, device, device.alarms.length - maxLines.ofDevice)
  }
}

function printLeftOut(paper: Paper, { locale }: DeviceDetail, count: number) {
  if (count > 0)
    paragraph(paper, textOf(locale)('leftOut', { number: paper.words.number(count) }), { color: tones.warning })
}
