import { type GroupReport, groupReports } from '@isotherm/contract/group-reports.ts'
import { Paper } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import issued from '../../../shared/issued/issued.module.css'
import { IssuedFile, IssuedList, IssuedReport, watching } from '../../../shared/issued/issued-report.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { fileNameOf } from '../file-name.ts'
import classes from './group-reports.module.css'

/** The reports of a group that were asked for, newest first; those being built show how far they are. None: nothing. */
export function IssuedGroupReports({ groupId }: { groupId: string }) {
  const { t } = useTranslation('groupReports')
  const answer = useCall(groupReports.reports, { params: { id: groupId }, query: { perPage: 10 } })
  if (answer.error && !answer.data) return <Failure error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data || answer.data.data.length === 0) return null
  return (
    <Paper component="section" className={classes.panel} aria-labelledby="issued-group-reports">
      <h2 id="issued-group-reports">{t('issued')}</h2>
      <IssuedList label={t('list')} reports={answer.data.data} line={(report) => <Issued report={report} />} />
    </Paper>
  )
}

function Issued({ report: known }: { report: GroupReport }) {
  const { t } = useTranslation('groupReports')
  const fresh = useCall(groupReports.report, { params: { id: known.id } }, watching(known)).data
  const words = {
    state: ({ state, progress }: GroupReport) => t(`states.${state}`, { progress }),
    failure: (failure: string) => t(`failures.${failure}`),
    facts: ({ devices, pages, sizeBytes }: GroupReport) =>
      [
        t('devices', { count: devices ?? 0 }),
        ...(pages === null ? [] : [t('pages', { count: pages })]),
        t('size', { size: formatNumber(Math.ceil((sizeBytes ?? 0) / 1000)) }),
      ].join(', '),
  }
  return (
    <IssuedReport
      known={known}
      fresh={fresh}
      list={groupReports.reports}
      words={words}
      actions={(report) => <File report={report} />}
    />
  )
}

function File({ report }: { report: GroupReport }) {
  const { t } = useTranslation('groupReports')
  const mayExport = useCan('groups.export')
  if (report.state !== 'ready' || !mayExport) return null
  if (report.removedAt) return <span className={issued.note}>{t('removed')}</span>
  const name = fileNameOf(report)
  const load = () => call(groupReports.reportFile, { params: { id: report.id } }, { toastAll: true })
  return <IssuedFile name={name} label={t('file', { name })} load={load} />
}
