import { type RecordDetails, type RecordReport, records } from '@isotherm/contract/records.ts'
import { ActionIcon, Anchor, Paper, Progress, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { download } from '../../../lib/download.ts'
import { useCall } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { isUnderWay } from '../../../shared/issued/issued-kind.ts'
import frames from '../../../ui/frames.module.css'
import classes from './records.module.css'

/** The reports of a record that were asked for, newest first; those being built show how far they are. */
export function ReportsCard({ record }: { record: Pick<RecordDetails, 'id' | 'name'> }) {
  const { t } = useTranslation('records')
  const answer = useCall(records.reports, { params: { id: record.id } })
  const reports = answer.data ?? []
  // While one is being built, it is asked for again and again.
  useCall(records.reports, { params: { id: record.id } }, { refetchMs: reports.some(isUnderWay) ? 1_000 : undefined })
  return (
    <Paper component="section" className={frames.panel} aria-labelledby="record-reports">
      <h2 id="record-reports">{t('report.title')}</h2>
      {reports.length === 0 && <p className={frames.note}>{t('report.empty')}</p>}
      <ul className={classes.list}>
        {reports.map((report) => (
          <li key={report.id} className={classes.item}>
            <Issued report={report} name={record.name} />
          </li>
        ))}
      </ul>
    </Paper>
  )
}

function Issued({ report, name }: { report: RecordReport; name: string }) {
  const { t } = useTranslation('records')
  const mayExport = useCan('devices.export')
  const time = formatTime(report.createdAt)
  const load = async () => {
    try {
      const file = await call(records.reportFile, { params: { id: report.id } }, { toastAll: true })
      download(file, `${name}.pdf`)
    } catch {
      // The call has toasted it.
    }
  }
  return (
    <>
      <div>
        <p className={classes.text}>
          {time}, {report.requestedBy}
        </p>
        {isUnderWay(report) ? (
          <Progress
            value={Math.max(4, report.progress)}
            w={140}
            mt={6}
            aria-label={t('report.states.building', { progress: report.progress })}
          />
        ) : (
          <div className={frames.note}>
            {t(`report.states.${report.state}`)}
            {report.pages !== null && ` · ${t('report.pages', { count: report.pages })}`}
          </div>
        )}
      </div>
      {report.state === 'ready' && (
        <div className={classes.devices}>
          <Anchor
            size="sm"
            renderRoot={(props) => <Link {...props} to="/verify-report/$key" params={{ key: report.key }} />}
          >
            {t('report.verify')}
          </Anchor>
          {mayExport && (
            <Tooltip label={t('report.download', { time })}>
              <ActionIcon variant="default" aria-label={t('report.download', { time })} onClick={() => void load()}>
                <IconDownload size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </div>
      )}
    </>
  )
}
