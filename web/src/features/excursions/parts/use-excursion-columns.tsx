import type { ListedExcursion } from '@isotherm/contract/excursions.ts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { noValue } from '../../../lib/numbers.ts'
import { formatClock, formatDate, formatDuration } from '../../../lib/times.ts'
import type { Column } from '../../../ui/list/column.ts'
import shared from '../../../ui/marks.module.css'
import { CauseButton, DegreeMinutes, End, Kind, Links, Marks, Peak } from './excursion-parts.tsx'
import classes from './excursions.module.css'

interface Options {
  /** The list is of many devices: each row names its own. */
  ofAll: boolean
  onAnnotate: ((row: ListedExcursion) => void) | undefined
}

export function useExcursionColumns({ ofAll, onAnnotate }: Options): Column<ListedExcursion>[] {
  const { t } = useTranslation('excursions')
  return useMemo(
    () => [
      ...(ofAll
        ? [
            {
              key: 'device',
              title: t('columns.device'),
              sort: 'device',
              render: (row: ListedExcursion) => <span className={classes.device}>{row.deviceName}</span>,
            },
          ]
        : []),
      {
        key: 'start',
        title: t('columns.start'),
        sort: 'start',
        isTime: true,
        render: (row) => <Start at={row.startAt} />,
      },
      {
        key: 'kind',
        title: t('columns.kind'),
        sort: 'measure',
        render: (row) => <MarkedKind row={row} />,
      },
      {
        key: 'end',
        title: t('columns.end'),
        // The list of all devices has a column more.
        hideBelow: ofAll ? 1366 : 1100,
        isTime: true,
        render: (row) => <End row={row} />,
      },
      {
        key: 'duration',
        title: t('columns.duration'),
        sort: 'duration',
        align: 'right',
        hideBelow: 820,
        render: (row) => (
          <>
            <span className={classes.whole}>{formatDuration(row.durationMs)}</span>
            {!row.endAt && <span className={shared.small}>{t('open')}</span>}
          </>
        ),
      },
      {
        key: 'peak',
        title: t('columns.farthest'),
        sort: 'farthest',
        align: 'right',
        render: (row) => <Peak row={row} />,
      },
      ...(ofAll
        ? []
        : [
            {
              key: 'degreeMinutes',
              title: t('columns.degreeMinutes'),
              sort: 'degreeMinutes',
              align: 'right' as const,
              hideBelow: 1366 as const,
              render: (row: ListedExcursion) => <DegreeMinutes row={row} />,
            },
          ]),
      {
        key: 'cause',
        title: t('columns.cause'),
        sort: 'cause',
        hideBelow: 700,
        render: (row) =>
          onAnnotate ? (
            <CauseButton row={row} onAnnotate={() => onAnnotate(row)} />
          ) : (
            (row.annotations[0]?.cause?.name ?? noValue)
          ),
      },
      {
        key: 'note',
        title: t('columns.note'),
        hideBelow: 820,
        render: (row) => <span className={classes.note}>{row.annotations[0]?.note ?? noValue}</span>,
      },
      {
        key: 'owner',
        title: t('columns.owner'),
        sort: 'owner',
        hideBelow: 1100,
        render: (row) => row.annotations[0]?.owner?.name ?? noValue,
      },
      { key: 'links', title: t('columns.links'), hideBelow: 1100, render: (row) => <Links row={row} /> },
    ],
    [t, ofAll, onAnnotate],
  )
}

/** The date and the time, below each other where there is little width. */
const Start = ({ at }: { at: string }) => (
  <span className={classes.start}>
    <span className={classes.whole}>{formatDate(at)},</span> <span className={classes.whole}>{formatClock(at)}</span>
  </span>
)

// The other columns leave no room for one of these.
const MarkedKind = ({ row }: { row: ListedExcursion }) => (
  <span className={classes.kind}>
    <Kind row={row} />
    <Marks row={row} />
  </span>
)
