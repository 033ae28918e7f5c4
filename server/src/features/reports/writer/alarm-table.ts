import { heading, type Paper, paragraph, textWidth, tones } from '../../../reporting/paper.ts'
import { table } from '../../../reporting/table.ts'
import { textOf } from './cover.ts'
import type { DeviceDetail, ReportAlarm } from './order.ts'

/** Every alarm that fired in the period, and what people did about it. */
export function alarmTable(paper: Paper, { alarms, locale }: DeviceDetail) {
  const t = textOf(locale)
  const { words } = paper
  heading(paper, t('alarms.title'), 40)
  if (alarms.length === 0) return paragraph(paper, t('alarms.none'))
  const time = (at: string | null) => (at === null ? words.dash : words.time(at))
  const widths = [128, 100, 98, 64, textWidth - 390]
  const columns = ['what', 'opened', 'normal', 'peak', 'state'].map((name, index) => ({
    title: t(`alarms.${name}`),
    width: widths[index] ?? 0,
  }))
  const peak = ({ condition, peak }: ReportAlarm) => {
    if (peak === null) return words.dash
    return condition.startsWith('temperature') ? words.celsius(peak) : words.percent(peak)
  }
  table(
    paper,
    columns,
    alarms.map((one) => [
      {
        text: `${one.alarm}\n${[t(`reports:condition.${one.condition}`), one.fence].filter(Boolean).join(' ')}`,
        color: one.severity === 'critical' ? tones.warm : tones.warning,
      },
      time(one.openedAt),
      time(one.normalAt),
      peak(one),
      [t(`triggers:state.${one.state}`), one.acknowledgedBy, one.note].filter(Boolean).join('\n'),
    ]),
  )
}
