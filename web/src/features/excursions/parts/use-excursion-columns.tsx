import type { Excursion } from '@isotherm/contract/excursions.ts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration, formatMoment } from '../../../lib/times.ts'
import type { Column } from '../../../ui/list/column.ts'
import { DegreeMinutes, End, Kind, Marks, Peak } from './excursion-parts.tsx'

export function useExcursionColumns(): Column<Excursion>[] {
  const { t } = useTranslation('excursions')
  return useMemo(
    () => [
      {
        key: 'start',
        title: t('columns.start'),
        sort: 'start',
        isTime: true,
        render: (row) => formatMoment(row.startAt),
      },
      { key: 'kind', title: t('columns.kind'), render: (row) => <Kind row={row} /> },
      { key: 'end', title: t('columns.end'), hideBelow: 1100, isTime: true, render: (row) => <End row={row} /> },
      {
        key: 'duration',
        title: t('columns.duration'),
        sort: 'duration',
        align: 'right',
        render: (row) => formatDuration(row.durationMs),
      },
      { key: 'peak', title: t('columns.peak'), align: 'right', render: (row) => <Peak row={row} /> },
      {
        key: 'degreeMinutes',
        title: t('columns.degreeMinutes'),
        sort: 'degreeMinutes',
        align: 'right',
        hideBelow: 820,
        render: (row) => <DegreeMinutes row={row} />,
      },
      { key: 'marks', title: t('columns.marks'), render: (row) => <Marks row={row} /> },
    ],
    [t],
  )
}
