import type { Period } from '@isotherm/contract/common.ts'
import { deviceLife, type HardwarePeriod } from '@isotherm/contract/device-life.ts'
import type { Device } from '@isotherm/contract/devices.ts'
import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { nowMs } from '../../lib/now.ts'
import { useCompany } from '../../lib/profile.ts'
import { useCall } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { formatSpan, formatTime } from '../../lib/times.ts'
import shared from '../../ui/facts.module.css'
import frames from '../../ui/frames.module.css'
import { inPeriod } from './hardware.ts'
import classes from './report.module.css'

interface ReportFactsProps {
  device: Device
  period: Period
  zone: string
}

/** The facts of a report: subject, period, and the person it is shown to. */
export function ReportFacts({ device, period, zone }: ReportFactsProps) {
  const { t } = useTranslation('deviceReports')
  const company = useCompany()?.name ?? ''
  const person = useSession((state) => state.profile?.fullname ?? '')
  const hardware = useHardware(device, period)
  // A period that goes on until now is asked for a little longer.
  const span = formatSpan(period.from, Math.min(nowMs(), Date.parse(period.to)), zone)
  const facts: [string, ReactNode][] = [
    [t('screen.device'), device.name],
    [t('screen.company'), company],
    [
      t('document.imeis', { count: hardware.length }),
      hardware.length > 0 && hardware.map((one) => <Hardware key={one.from} hardware={one} zone={zone} />),
    ],
    [t('screen.tag'), device.tag],
    [t('screen.period'), `${span.from} – ${span.to}`],
    [t('screen.zone'), zone],
    [t('screen.by'), `${person}, ${formatTime(nowMs(), zone)}`],
  ]
  return (
    <Paper className={frames.panel} component="section">
      <h2>{t('screen.title', { device: device.name })}</h2>
      <dl className={`${shared.facts} ${classes.facts}`}>
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </Paper>
  )
}

/** The hardware of the device in the period; until that is known, its hardware of now. */
function useHardware({ id, imei }: Device, period: Period): readonly HardwarePeriod[] {
  const { data } = useCall(deviceLife.life, { params: { id } })
  if (data) return inPeriod(data.hardware, period)
  return imei ? [{ imei, probe: 1, from: '', to: null }] : []
}

function Hardware({ hardware: { imei, probe, from, to }, zone }: { hardware: HardwarePeriod; zone: string }) {
  const { t } = useTranslation('deviceReports')
  const name = probe > 1 ? t('document.imeiProbe', { imei, probe }) : imei
  if (from === '') return name
  const at = { from: formatTime(from, zone), to: to ? formatTime(to, zone) : '' }
  return <div>{t(to ? 'document.imeiFromTo' : 'document.imeiSince', { imei: name, ...at })}</div>
}
