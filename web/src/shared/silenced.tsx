import { alarms, type SilencedQuery } from '@isotherm/contract/alarms.ts'
import { reports, type SilencedReportsQuery } from '@isotherm/contract/reports.ts'
import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCan } from '../lib/can.ts'
import { useCall } from '../lib/query.ts'

const hasReports = (query: SilencedQuery): query is SilencedReportsQuery =>
  query.without === 'user' || query.without === 'device' || query.without === 'group'

/** Names the alarms and reports that would not work any more without what is about to be removed. */
export function Silenced({ of }: { of: SilencedQuery }) {
  const { t } = useTranslation()
  const seesAlarms = useCan('alarms.view')
  const seesReports = useCan('reports.view')
  const found = {
    alarms: useCall(alarms.silenced, { query: of }, { enabled: seesAlarms }).data ?? [],
    reports:
      useCall(reports.silenced, { query: of as SilencedReportsQuery }, { enabled: seesReports && hasReports(of) })
        .data ?? [],
  }
  const lines = (['alarms', 'reports'] as const).filter((kind) => found[kind].length > 0)
  if (lines.length === 0) return null
  const names = (kind: 'alarms' | 'reports') => found[kind].map(({ name }) => name).join(', ')
  return (
    <Alert color="orange" role="alert">
      {lines.map((kind) => (
        <div key={kind}>{t(`silences.${kind}.${of.without}`, { count: found[kind].length, names: names(kind) })}</div>
      ))}
    </Alert>
  )
}
