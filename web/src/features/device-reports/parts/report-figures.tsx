import type { Period } from '@isotherm/contract/common.ts'
import type { Chart } from '@isotherm/contract/device-history.ts'
import { shownCoverage } from '@isotherm/contract/shown-figures.ts'
import { stats as calls, type MeasureStats, type StatsOfDevice } from '@isotherm/contract/stats.ts'
import { Paper, Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { limitsText } from '../../../lib/limits-text.ts'
import { nowMs } from '../../../lib/now.ts'
import { formatNumber, noValue, withUnit } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDuration, formatMoment, formatTime } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { Renewing } from '../../../ui/renewing.tsx'
import { Sideways } from '../../../ui/sideways.tsx'
import classes from './report.module.css'

type Measure = 'temperature' | 'humidity'
const toneOf = { inRange: 'ok', incomplete: 'warning', outOfRange: 'warm', noLimits: 'none', noData: 'none' } as const
const coverageOf = ({ coveragePct }: MeasureStats) =>
  // Rounded down: 99.996 % is not everything.
  coveragePct === null ? noValue : withUnit(shownCoverage(coveragePct, 2), '%', 2)

interface ReportFiguresProps {
  deviceId: string
  period: Period
  zone: string
  limits: Chart['limits'] | undefined
}

/** Verdict, limits and statistics of the period: the figures the file has too. */
export function ReportFigures({ deviceId, period, zone, limits }: ReportFiguresProps) {
  const answer = useCall(calls.device, { params: { id: deviceId }, query: period }, { keepPrevious: true })
  if (answer.error) return <Failure error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data) return <Skeleton height={320} radius="md" />
  const measures: Measure[] = answer.data.humidity.count > 0 ? ['temperature', 'humidity'] : ['temperature']
  return (
    <Renewing isOld={answer.isPlaceholderData} className={classes.figures}>
      {measures.map((measure) => (
        <Verdict key={measure} measure={measure} stats={answer.data[measure]} />
      ))}
      <LimitsTable limits={limits ?? []} zone={zone} />
      <StatsTable stats={answer.data} measures={measures} zone={zone} />
    </Renewing>
  )
}

function Verdict({ measure, stats }: { measure: Measure; stats: MeasureStats }) {
  const { t } = useTranslation('deviceReports')
  const because = t(`document.because.${stats.verdict}`, {
    count: stats.excursions.count,
    out: formatDuration(stats.aboveMs + stats.belowMs),
    coverage: coverageOf(stats),
    gap: formatDuration(stats.longestGap?.ms ?? 0),
  })
  return (
    <Paper className={classes.verdict} data-tone={toneOf[stats.verdict]}>
      <span className={classes.note}>{t(`document.${measure}`)}</span>
      <strong>{t(`document.verdict.${stats.verdict}`)}</strong>
      <span>{because}</span>
    </Paper>
  )
}

function LimitsTable({ limits, zone }: { limits: Chart['limits']; zone: string }) {
  const { t } = useTranslation('deviceReports')
  return (
    <Paper component="section" className={frames.panel}>
      <h2>{t('screen.limits')}</h2>
      {limits.length === 0 ? (
        <p className={classes.note}>{t('screen.noLimits')}</p>
      ) : (
        <Sideways label={t('screen.limits')}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th>{t('screen.limitsFrom')}</th>
                <th>{t('screen.limitsTo')}</th>
                <th>{t('document.temperature')}</th>
                <th>{t('document.humidity')}</th>
              </tr>
            </thead>
            <tbody>
              {limits.map((band) => (
                <tr key={band.from}>
                  <td>{formatMoment(band.from, zone)}</td>
                  <td>{formatMoment(Math.min(nowMs(), Date.parse(band.to)), zone)}</td>
                  <td>{limitsText(band.temperatureMinC, band.temperatureMaxC, '°C')}</td>
                  <td>{limitsText(band.humidityMinPct, band.humidityMaxPct, '%')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Sideways>
      )}
    </Paper>
  )
}

type Tell = (stats: MeasureStats, unit: string) => ReactNode

function StatsTable({ stats, measures, zone }: { stats: StatsOfDevice; measures: Measure[]; zone: string }) {
  const { t } = useTranslation('deviceReports')
  const at = (value: string, instant: string) => (
    <>
      {value} <span className={`${classes.note} ${classes.moment}`}>{formatTime(instant, zone)}</span>
    </>
  )
  const point = (found: MeasureStats['min'], unit: string) =>
    found ? at(withUnit(found.value, unit, 2), found.at) : noValue
  const part = (found: MeasureStats['excursions']['longest']) =>
    found ? at(formatDuration(found.ms), found.startAt) : noValue
  const rows: [string, Tell][] = [
    ['count', (s) => formatNumber(s.count)],
    ['coverage', coverageOf],
    ['gap', (s) => (s.longestGap ? at(formatDuration(s.longestGap.ms), s.longestGap.from) : noValue)],
    ['min', (s, unit) => point(s.min, unit)],
    ['max', (s, unit) => point(s.max, unit)],
    ['average', (s, unit) => (s.average === null ? noValue : withUnit(s.average, unit, 2))],
    ['mkt', (s, unit) => mktOf(s, unit)],
    ['within', (s) => formatDuration(s.withinMs)],
    ['above', (s) => <span data-out={s.aboveMs > 0 ? 'warm' : undefined}>{formatDuration(s.aboveMs)}</span>],
    ['below', (s) => <span data-out={s.belowMs > 0 ? 'cold' : undefined}>{formatDuration(s.belowMs)}</span>],
    ['unjudged', (s) => formatDuration(s.unjudgedMs)],
    ['excursions', (s) => formatNumber(s.excursions.count)],
    ['longest', (s) => part(s.excursions.longest)],
    ['shortest', (s) => part(s.excursions.shortest)],
  ]
  const mktOf: Tell = ({ mkt }, unit) => {
    if (!mkt) return noValue
    if (mkt.valueC === null) return t(`document.stats.mktNone.${mkt.reason ?? 'noData'}`)
    const energy = formatNumber(mkt.activationKjPerMol)
    return t('document.stats.mktOf', { value: withUnit(mkt.valueC, unit, 2), energy })
  }
  return (
    <Paper component="section" className={frames.panel}>
      <h2>{t('screen.stats')}</h2>
      <Sideways label={t('screen.stats')}>
        <table className={classes.table} aria-label={t('screen.stats')}>
          <thead>
            <tr>
              <td />
              {measures.map((measure) => (
                <th key={measure}>{t(`document.${measure}`)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, tell]) => (
              <tr key={name}>
                <th scope="row">{t(`document.stats.${name}`)}</th>
                {measures.map((measure) => (
                  <td key={measure}>{tell(stats[measure], measure === 'temperature' ? '°C' : '%')}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Sideways>
      <p className={classes.note}>{t('document.stats.note')}</p>
    </Paper>
  )
}
