import type { Period } from '@isotherm/contract/common.ts'
import type { Reading } from '@isotherm/contract/device-history.ts'
import type { Judgement } from '@isotherm/contract/device-limits.ts'
import { type Device, devices } from '@isotherm/contract/devices.ts'
import { Paper, Skeleton, Text } from '@mantine/core'
import { lazy, type PointerEvent, Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Cursor } from '../../../charts/cursor.ts'
import { formatNumber, percentDecimals, temperatureDecimals } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatExactMoment, zoneOfMany } from '../../../lib/times.ts'
import { useUrlSearch } from '../../../lib/url-search.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Renewing } from '../../../ui/renewing.tsx'
import { Value } from '../../../ui/value.tsx'
import classes from './history.module.css'

const PageButtons = lazy(async () => ({ default: (await import('../../../ui/list/page-buttons.tsx')).PageButtons }))

const perPage = 25

interface HistoryTableProps {
  device: Pick<Device, 'id'>
  period: Period
  zone: string
  cursor: Cursor
}

/**
 * Every reading of the period, newest first. Pointing at a row moves the cursor of chart and map, and they mark the row.
 * A plain table: Mantine's brings its scroll area along, 7 KB of a page that is full.
 */
export function HistoryTable({ device, period, zone, cursor }: HistoryTableProps) {
  const { t } = useTranslation('devices')
  const { search, change } = useUrlSearch()
  const asked = Number(search.page)
  const page = Number.isInteger(asked) && asked > 0 ? asked : 1
  const answer = useCall(
    devices.history,
    { params: { id: device.id }, query: { ...period, page, perPage } },
    { keepPrevious: true },
  )
  const body = useRef<HTMLTableSectionElement>(null)
  const rows = answer.data?.data
  useMarkedRow(body, rows, cursor)
  const point = (event: PointerEvent) => {
    const row = (event.target as Element).closest<HTMLElement>('tr[data-at]')
    if (row && event.pointerType === 'mouse') cursor.set(Number(row.dataset.at))
  }
  const turn = (next: number) => change({ page: next === 1 ? undefined : String(next) })
  const meta = answer.data?.meta
  return (
    <Renewing isOld={answer.isPlaceholderData}>
      <Paper className={classes.panel} component="section" aria-label={t('history.title')}>
        <div className={classes.head}>
          <h2>{t('history.title')}</h2>
          {meta && (
            <Text size="sm" c="dimmed">
              {formatNumber(meta.total)}
            </Text>
          )}
        </div>
        {answer.error && !answer.data && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
        {!answer.data && !answer.error && <Skeleton height={300} m="md" />}
        {rows?.length === 0 && (
          <Text p="md" size="sm" c="dimmed">
            {t('history.empty')}
          </Text>
        )}
        {rows && rows.length > 0 && (
          <table className={classes.table} aria-label={t('history.title')}>
            <thead>
              <tr>
                <th>
                  {t('history.time')} ({zoneOfMany(zone)})
                </th>
                <th className={classes.number}>{t('columns.temperature')}</th>
                <th className={classes.number}>{t('columns.humidity')}</th>
                <th className={classes.wideNumber}>{t('columns.battery')}</th>
                <th className={classes.wideNumber}>{t('columns.light')}</th>
                <th className={classes.wide}>{t('history.position')}</th>
              </tr>
            </thead>
            <tbody ref={body} onPointerOver={point} onPointerLeave={() => cursor.set(null)}>
              {rows.map((reading) => (
                <Row key={reading.at} reading={reading} zone={zone} />
              ))}
            </tbody>
          </table>
        )}
        {meta && meta.pageCount > 1 && (
          <nav className={classes.foot} aria-label={t('history.pages')}>
            <Suspense>
              <PageButtons page={page} pageCount={meta.pageCount} onTurn={turn} />
            </Suspense>
          </nav>
        )}
      </Paper>
    </Renewing>
  )
}

/** Marks the row nearest to the cursor without drawing the table anew. */
function useMarkedRow(
  body: React.RefObject<HTMLTableSectionElement | null>,
  rows: Reading[] | undefined,
  cursor: Cursor,
) {
  useEffect(() => {
    const mark = () => {
      const at = cursor.get()
      const all = [...(body.current?.querySelectorAll<HTMLElement>('tr[data-at]') ?? [])]
      const distance = (row: HTMLElement) => Math.abs(Number(row.dataset.at) - (at ?? 0))
      const nearest =
        at === null
          ? undefined
          : all.reduce<HTMLElement | undefined>((a, b) => (a && distance(a) <= distance(b) ? a : b), undefined)
      const reach =
        rows && rows.length > 1 ? Math.abs(Date.parse(rows[0]?.at ?? '') - Date.parse(rows[1]?.at ?? '')) : 0
      for (const row of all)
        row.toggleAttribute('data-marked', row === nearest && distance(row) <= Math.max(reach, 60_000))
    }
    mark()
    return cursor.subscribe(mark)
  }, [body, rows, cursor])
}

function Row({ reading, zone }: { reading: Reading; zone: string }) {
  const { t } = useTranslation('devices')
  const at = Date.parse(reading.at)
  const missing = t('noValue.notMeasured')
  const celsius = reading.temperatureC
  return (
    <tr data-at={at} data-out={isOut(reading.temperature) || isOut(reading.humidity) || undefined}>
      <td className={classes.time}>{formatExactMoment(at, zone)}</td>
      <td className={classes.number}>
        <Judged judgement={reading.temperature}>
          <Value
            value={celsius}
            unit="°C"
            decimals={celsius === null ? 1 : temperatureDecimals(celsius)}
            reason={missing}
            tone={toneFor(reading.temperature)}
          />
        </Judged>
      </td>
      <td className={classes.number}>
        <Judged judgement={reading.humidity}>
          <Value
            value={reading.humidityPct}
            unit="%"
            decimals={isOut(reading.humidity) ? percentDecimals(reading.humidityPct ?? 0) : 0}
            reason={missing}
            tone={toneFor(reading.humidity)}
          />
        </Judged>
      </td>
      <td className={classes.wideNumber}>
        <Value value={reading.batteryPct} unit="%" decimals={0} reason={missing} />
      </td>
      <td className={classes.wideNumber}>
        <Value value={reading.lightLux} unit="lx" decimals={0} reason={missing} />
      </td>
      <td className={classes.wide}>
        {reading.lat === null || reading.lon === null ? (
          <Value value={null} unit="" reason={t('noValue.noPosition')} />
        ) : (
          `${formatNumber(reading.lat, 4)}, ${formatNumber(reading.lon, 4)}`
        )}
      </td>
    </tr>
  )
}

const isOut = (judgement: Judgement | null) => judgement === 'above' || judgement === 'below'
const toneFor = (judgement: Judgement | null) =>
  judgement === 'above' ? 'warm' : judgement === 'below' ? 'cold' : undefined

/** An arrow beside a value outside its limits: colour alone says nothing to many. */
function Judged({ judgement, children }: { judgement: Judgement | null; children: React.ReactNode }) {
  const { t } = useTranslation('devices')
  if (judgement !== 'above' && judgement !== 'below') return children
  return (
    <span className={classes.judged} data-side={judgement}>
      <svg viewBox="0 0 10 10" role="img" aria-label={t(`judgement.${judgement}`)}>
        <path d={judgement === 'above' ? 'M5 1L9.6 9H.4z' : 'M5 9L.4 1h9.2z'} fill="currentColor" />
      </svg>
      {children}
    </span>
  )
}
