import type { Period } from '@isotherm/contract/common.ts'
import { type Excursion, excursions } from '@isotherm/contract/excursions.ts'
import { Paper, Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber, noValue, withUnit } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDuration, formatMoment, formatTime } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { Renewing } from '../../../ui/renewing.tsx'
import { Sideways } from '../../../ui/sideways.tsx'
import classes from './report.module.css'

const perPage = 100

/** The excursions of the period, by their beginning. */
export function ReportExcursions({ deviceId, period, zone }: { deviceId: string; period: Period; zone: string }) {
  const { t } = useTranslation('deviceReports')
  const query = { ...period, perPage, sort: 'start' as const }
  const answer = useCall(excursions.ofDevice, { params: { id: deviceId }, query }, { keepPrevious: true })
  const found = answer.data?.data
  const total = answer.data?.meta.total ?? 0
  return (
    <Renewing isOld={answer.isPlaceholderData}>
      <Paper component="section" className={frames.panel}>
        <h2>{t('screen.excursions')}</h2>
        {answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
        {!found && !answer.error && <Skeleton height={80} />}
        {found?.length === 0 && <p className={classes.note}>{t('screen.noExcursions')}</p>}
        {found && found.length > 0 && (
          <Sideways label={t('screen.excursions')}>
            <table className={classes.table}>
              <thead>
                <tr>
                  {['what', 'start', 'end', 'duration', 'limit', 'peak', 'area', 'cause', 'note'].map((name) => (
                    <th key={name}>{t(`document.excursions.${name}`)}</th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {found.map((one) => (
                  <Row key={one.id} one={one} zone={zone} />
                ))}
              </tbody>
            </table>
          </Sideways>
        )}
        {total > perPage && (
          <p className={classes.note}>{t('screen.more', { count: perPage, total: formatNumber(total) })}</p>
        )}
      </Paper>
    </Renewing>
  )
}

function Row({ one, zone }: { one: Excursion; zone: string }) {
  const { t } = useTranslation('deviceReports')
  const [own] = one.annotations
  const unit = one.measure === 'temperature' ? '°C' : '%'
  const value = (of: number | null) => (of === null ? noValue : withUnit(of, unit, 2))
  return (
    <tr>
      <td>
        <span data-out={one.side === 'above' ? 'warm' : 'cold'}>
          {t(`document.excursions.${one.measure}.${one.side}`)}
        </span>
        {one.isLate && <div className={classes.note}>{t('document.excursions.late')}</div>}
        {one.amendedAt && (
          <div className={classes.note}>
            {t('document.excursions.amended', { at: formatTime(one.amendedAt, zone) })}
          </div>
        )}
      </td>
      <td>{formatMoment(one.startAt, zone)}</td>
      <td>{one.endAt ? formatMoment(one.endAt, zone) : t('document.excursions.open')}</td>
      <td>{formatDuration(one.durationMs)}</td>
      <td>{value(one.limit)}</td>
      <td>
        {value(one.peak)}
        {one.peakAt && <div className={classes.note}>{formatMoment(one.peakAt, zone)}</div>}
      </td>
      <td>{one.degreeMinutes === null ? noValue : formatNumber(one.degreeMinutes, 1)}</td>
      <td>{own?.cause?.name ?? noValue}</td>
      <td>{own?.note ?? noValue}</td>
    </tr>
  )
}
