import type { Locale } from '@isotherm/contract/common.ts'
import type { ReportContents, ReportFormat } from '@isotherm/contract/device-reports.ts'
import { useLocalStorage } from '@mantine/hooks'
import { useCan } from '../../lib/can.ts'
import { currentLocale } from '../../lib/i18n.ts'
import type { ReportChoice } from './issued-kind.ts'

export type ReportSubject = 'device' | 'group' | 'record' | 'shipment'

/** Whether its contents are chosen: a report of a shipment always tells all. */
export const hasContents = (subject: ReportSubject) => subject !== 'shipment'

/** The contents of each kind of report until somebody chooses others. */
const usual: Record<ReportSubject, Record<ReportFormat, ReportContents[]>> = {
  device: {
    pdf: ['stats', 'charts', 'excursions', 'alarms'],
    xlsx: ['stats', 'excursions', 'alarms', 'readings'],
    csv: ['readings'],
  },
  group: {
    pdf: ['stats', 'charts', 'excursions', 'alarms'],
    xlsx: ['stats', 'excursions', 'alarms'],
    csv: ['stats'],
  },
  shipment: { pdf: [], xlsx: [], csv: [] },
  record: { pdf: ['stats', 'charts', 'excursions', 'readings'], xlsx: ['stats'], csv: ['stats'] },
}

interface LastChoices {
  locale?: Locale
  contents?: Partial<Record<ReportFormat, ReportContents[]>>
}

/** The contents and the language chosen last for reports of a kind, by format: kept in this browser until its person logs out. */
export function useReportChoice(subject: ReportSubject) {
  const seesAlarms = useCan('alarms.view')
  const [kept, keep] = useLocalStorage<LastChoices>({ key: `isotherm.report.${subject}`, defaultValue: {} })
  return {
    choiceOf(format: ReportFormat): ReportChoice {
      const contents = (kept.contents?.[format] ?? usual[subject][format]).filter(
        (each) => seesAlarms || each !== 'alarms',
      )
      return { format, contents, locale: kept.locale ?? currentLocale() }
    },
    keep: ({ format, contents, locale }: ReportChoice) =>
      keep({ locale, contents: { ...kept.contents, [format]: contents } }),
  }
}
