import type { Device } from '@isotherm/contract/devices.ts'
import { Paper, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createCursor } from '../../charts/cursor.ts'
import { LazyTimeChart } from '../../charts/lazy-time-chart.tsx'
import { DownloadMenu } from '../../features/device-reports/parts/download-menu.tsx'
import { IssuedReports } from '../../features/device-reports/parts/issued-reports.tsx'
import { PrintButton } from '../../features/device-reports/parts/print-button.tsx'
import { ReportExcursions } from '../../features/device-reports/parts/report-excursions.tsx'
import { ReportFigures } from '../../features/device-reports/parts/report-figures.tsx'
import { DeviceFrame } from '../../features/devices/parts/device-frame.tsx'
import { DeviceMap } from '../../features/devices/parts/device-map.tsx'
import { HistoryTable } from '../../features/devices/parts/history-table.tsx'
import { PeriodBar } from '../../features/devices/parts/period-bar.tsx'
import { useChart } from '../../features/devices/use-chart.ts'
import { usePeriod } from '../../features/devices/use-period.ts'
import { useCan } from '../../lib/can.ts'
import { useSession } from '../../lib/session.ts'
import { Failure } from '../../ui/failure.tsx'
import frames from '../../ui/frames.module.css'
import { Renewing } from '../../ui/renewing.tsx'
import classes from './report.module.css'
import { ReportFacts } from './report-facts.tsx'

const extras = { battery: false, light: false }

/** The history of a device as a document: what the file says, on the screen and on paper. */
export const ReportPage = () => <DeviceFrame>{(device) => <Report key={device.id} device={device} />}</DeviceFrame>

function Report({ device }: { device: Device }) {
  const { t } = useTranslation('deviceReports')
  const zone = useSession((state) => state.timezone)
  const { chosen, period, choose, onUse } = usePeriod()
  const [cursor] = useState(createCursor)
  const mayExport = useCan('devices.export')
  const { chart, panels, isOld, error, retry, onZoom } = useChart(device, period, extras)
  const periodKey = chosen.preset === 'custom' ? `${period.from} ${period.to}` : chosen.preset
  return (
    <div className={classes.report}>
      <div className={`${classes.bar} ${frames.screenOnly}`}>
        <PeriodBar chosen={chosen} period={period} zone={zone} onChoose={choose} />
        <div className={classes.buttons}>
          <PrintButton />
          <DownloadMenu device={device} period={period} />
        </div>
      </div>
      {!mayExport && <p className={`${frames.note} ${frames.screenOnly}`}>{t('screen.noExport')}</p>}
      <ReportFacts device={device} period={period} zone={zone} />
      <ReportFigures deviceId={device.id} period={period} zone={zone} limits={chart?.limits} />
      <Paper className={frames.panel} component="section">
        <h2>{t('screen.chart')}</h2>
        {panels && (
          <Renewing isOld={isOld}>
            <LazyTimeChart
              key={periodKey}
              panels={panels}
              from={Date.parse(period.from)}
              to={Date.parse(period.to)}
              zone={zone}
              cursor={cursor}
              onZoom={onZoom}
              onUse={onUse}
              height={panels.length > 1 ? 380 : 280}
            />
          </Renewing>
        )}
        {!panels && !error && <Skeleton height={308} radius="sm" />}
        {!panels && error && <Failure error={error} onRetry={() => void retry()} />}
      </Paper>
      <ReportExcursions deviceId={device.id} period={period} zone={zone} />
      <div className={frames.screenOnly}>
        <DeviceMap device={device} period={period} periodKey={periodKey} cursor={cursor} />
      </div>
      <div className={frames.screenOnly}>
        <HistoryTable device={device} period={period} zone={zone} cursor={cursor} />
      </div>
      <IssuedReports deviceId={device.id} />
    </div>
  )
}
