import { deviceReports, type VerifiedReport } from '@isotherm/contract/device-reports.ts'
import { Loader } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { GuestLayout } from '../../features/auth/parts/guest-layout.tsx'
import { CheckFile } from '../../features/device-reports/parts/check-file.tsx'
import { formatNumber } from '../../lib/numbers.ts'
import { useCall } from '../../lib/query.ts'
import { QueryProvider } from '../../lib/query-provider.tsx'
import { formatExactTime } from '../../lib/times.ts'
import shared from '../../ui/facts.module.css'
import { Failure } from '../../ui/failure.tsx'
import classes from './report.module.css'

/** Shows the facts of a report and whether a file is that report: for anybody who holds one, logged in or not. */
export const VerifyReportPage = () => (
  <QueryProvider>
    <Verify />
  </QueryProvider>
)

function Verify() {
  const { t } = useTranslation('deviceReports')
  const { key } = useParams({ from: '/public/verify-report/$key' })
  const answer = useCall(deviceReports.verify, { params: { key } })
  if (answer.error?.status === 404)
    return (
      <GuestLayout title={t('verify.unknownTitle')} lead={t('verify.unknownText')}>
        <code className={classes.hash}>{key}</code>
      </GuestLayout>
    )
  return (
    <GuestLayout title={t('verify.title')} lead={answer.data && t('verify.lead')}>
      {answer.isLoading && <Loader size="sm" role="status" aria-label={t('verify.loading')} />}
      {answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.data && <ReportFacts report={answer.data} />}
    </GuestLayout>
  )
}

function ReportFacts({ report }: { report: VerifiedReport }) {
  const { t } = useTranslation('deviceReports')
  const at = (instant: string) => formatExactTime(instant, report.timezone)
  const facts: [string, string | null][] = [
    ['company', report.company],
    [report.devices === null ? 'device' : 'report', report.deviceName],
    ['devices', report.devices === null ? null : formatNumber(report.devices)],
    ['imei', report.imeis.join(', ') || null],
    ['period', `${at(report.period.from)} – ${at(report.period.to)}`],
    ['zone', report.timezone],
    ['issued', at(report.issuedAt)],
    ['dataAsOf', at(report.dataAsOf)],
    ['format', report.format.toUpperCase()],
    ['readings', formatNumber(report.readings)],
    ['pages', report.pages === null ? null : formatNumber(report.pages)],
    ['size', t('verify.sizeBytes', { size: formatNumber(report.sizeBytes) })],
  ]
  const hashes: [string, string][] = [
    ['fileHash', report.fileSha256],
    ['dataHash', report.dataSha256],
  ]
  return (
    <>
      <dl className={`${shared.facts} ${classes.facts}`}>
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{t(`verify.${name}`)}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <dl className={`${shared.facts} ${classes.facts}`} style={{ marginTop: 12, gridTemplateColumns: '1fr' }}>
        {hashes.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`verify.${name}`)}</dt>
            <dd className={classes.hash}>{value}</dd>
          </div>
        ))}
      </dl>
      <CheckFile expected={report.fileSha256} />
    </>
  )
}
