import type { Period } from '@isotherm/contract/common.ts'
import { type ExcursionExport, excursions, type ExcursionTotals as Totals } from '@isotherm/contract/excursions.ts'
import { Anchor, Paper, Skeleton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDuration } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { AnchorLink } from '../../../ui/links.tsx'
import { ExportButton } from '../../../ui/list/export-button.tsx'
import { Renewing } from '../../../ui/renewing.tsx'
import { usePhone } from '../../../ui/use-phone.ts'
import classes from './excursions.module.css'

interface ExcursionTotalsProps {
  /** Search and filters of the list, with its period. */
  query: Omit<ExcursionExport, 'sort'> & Period
  onCause: (key: string) => void
}

/** Sums of the list, by device and by cause; a row leads to the excursions that it counts. */
export function ExcursionTotals({ query, onCause }: ExcursionTotalsProps) {
  const { t } = useTranslation('excursions')
  const mayExport = useCan('devices.export')
  const isPhone = usePhone()
  const [isOpen, setOpen] = useState(!isPhone)
  const answer = useCall(excursions.totals, { query }, { keepPrevious: true, refetchMs: 300_000 })
  const { data } = answer
  if (answer.error && !data) return <Failure error={answer.error} onRetry={() => void answer.refetch()} />
  if (!data) return <Skeleton height={150} className={classes.summary} />
  if (data.all.count === 0) return null
  const { from, to } = query
  return (
    <Renewing isOld={answer.isPlaceholderData} className={classes.summary}>
      <Paper component="section" className={frames.panel} aria-labelledby="excursion-totals">
        <div className={classes.totalsHead}>
          <h2 id="excursion-totals">
            {t('totals.title', {
              count: data.all.count,
              total: formatNumber(data.all.count),
              time: formatDuration(data.all.outMs),
              longest: formatDuration(data.all.longestMs),
            })}
          </h2>
          {isPhone && (
            <Anchor size="sm" component="button" type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {t(isOpen ? 'totals.hide' : 'totals.show')}
            </Anchor>
          )}
          {mayExport && isOpen && (
            <ExportButton
              size="xs"
              label={t('totals.export')}
              fileName="excursion-totals.csv"
              load={() => call(excursions.totalsCsv, { query }, { toastAll: true })}
            />
          )}
        </div>
        {isOpen && (
          <div className={classes.totals}>
            <TotalsTable
              title={t('totals.devices')}
              rows={data.devices}
              count={data.deviceCount}
              nameOf={({ device }) => (
                <AnchorLink
                  size="sm"
                  to="/devices/$deviceId/excursions"
                  params={{ deviceId: device.id }}
                  search={{ from, to }}
                >
                  {device.name}
                </AnchorLink>
              )}
            />
            <TotalsTable
              title={t('totals.causes')}
              rows={data.causes}
              count={data.causes.length}
              nameOf={({ cause }) => (
                <Anchor size="sm" component="button" type="button" onClick={() => onCause(cause?.key ?? 'none')}>
                  {cause?.name ?? t('filter.noCause')}
                </Anchor>
              )}
            />
          </div>
        )}
        {isOpen && <p className={frames.note}>{t('totals.note')}</p>}
      </Paper>
    </Renewing>
  )
}

const shownAtFirst = 3

interface TotalsTableProps<Row> {
  title: string
  rows: readonly Row[]
  /** How many there are, of which `rows` may be the first. */
  count: number
  nameOf: (row: Row) => ReactNode
}

function TotalsTable<Row extends Totals['all']>({ title, rows, count, nameOf }: TotalsTableProps<Row>) {
  const { t } = useTranslation('excursions')
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? rows : rows.slice(0, shownAtFirst)
  const left = count - rows.length
  return (
    <div>
      <table className={classes.totalsTable}>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col">{t('count')}</th>
            <th scope="col">{t('timeOut')}</th>
            <th scope="col">{t('longest')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are in their order, and keep nothing
            <tr key={index}>
              <th scope="row">{nameOf(row)}</th>
              <td>{formatNumber(row.count)}</td>
              <td>{formatDuration(row.outMs)}</td>
              <td>{formatDuration(row.longestMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shownAtFirst && (
        <Anchor size="sm" component="button" type="button" onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('totals.fewer') : t('totals.all', { total: formatNumber(rows.length) })}
        </Anchor>
      )}
      {isWhole && left > 0 && (
        <p className={frames.note}>{t('totals.left', { count: left, total: formatNumber(left) })}</p>
      )}
    </div>
  )
}
