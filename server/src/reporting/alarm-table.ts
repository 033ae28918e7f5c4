import type { Locale } from '@isotherm/contract/common.ts'
import { heading, type Paper, paragraph, textWidth, tones } from './paper.ts'
import type { ReportAlarm } from './report-alarm.ts'
import { headedTable } from './table.ts'
import { textOf } from './words.ts'

/** Every alarm that fired in the period, and what people did about it; those of several devices with the name of each. */
export function alarmTable(
  paper: Paper,
  { alarms, locale, withDevices = false }: { alarms: readonly ReportAlarm[]; locale: Locale; withDevices?: boolean },
) {
  const t = textOf(locale)
  const { words } = paper
  if (alarms.length === 0) {
    heading(paper, t('alarms.title'), 40)
    return paragraph(paper, t('alarms.none'))
  }
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
  headedTable(
    paper,
    t('alarms.title'),
    columns,
    alarms.map((one) => [
      {
        text: [
          ...(withDevices ? [one.device] : []),
          one.alarm,
          [t(`reports:condition.${one.condition}`), one.fence].filter(Boolean).join(' '),
        ].join('\n'),
        color: one.severity === 'critical' ? tones.warm : tones.warning,
      },
      time(one.openedAt),
      time(one.normalAt),
      peak(one),
      [t(`triggers:state.${one.state}`), one.acknowledgedBy, one.note].filter(Boolean).join('\n'),
    ]),
  )
}
