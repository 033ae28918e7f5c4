import type { Period } from '@isotherm/contract/common.ts'
import type { Device } from '@isotherm/contract/devices.ts'
import { type Excursion, excursions } from '@isotherm/contract/excursions.ts'
import { Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { formatDuration, formatTime } from '../../../lib/times.ts'
import { ListView } from '../../../ui/list/list-view.tsx'
import { useListParams } from '../../../ui/list/use-list-params.ts'
import shared from '../../../ui/marks.module.css'
import { chartWindow } from '../chart-window.ts'
import { DegreeMinutes, End, Kind, Marks, Peak } from './excursion-parts.tsx'
import { ExcursionSummary } from './excursion-summary.tsx'
import classes from './excursions.module.css'
import { useExcursionColumns } from './use-excursion-columns.tsx'

const filters = { measure: ['temperature', 'humidity'], open: ['true', 'false'] } as const

/** A device's excursions of a period (`isFixed`: nobody can choose another): what they come to, and each, opening on the chart. */
export function DeviceExcursions({ device, period, isFixed }: { device: Device; period: Period; isFixed?: boolean }) {
  const { t } = useTranslation('excursions')
  const navigate = useNavigate()
  const params = useListParams({ sort: excursions.ofDevice.query.shape.sort, filters })
  const deviceId = device.id
  const hasLimits = Object.values(device.limits).some((limit) => limit !== null)
  const { search: _, ...asked } = params.asked
  const query = { ...period, ...asked }
  const answer = useCall(excursions.ofDevice, { params: { id: deviceId }, query }, { keepPrevious: true })
  const open = (row: Excursion) =>
    void navigate({
      to: '/devices/$deviceId/details',
      params: { deviceId },
      search: chartWindow(row, Date.now()),
    })
  return (
    <Stack gap="sm">
      <ExcursionSummary deviceId={deviceId} period={period} />
      <ListView
        label={t('title')}
        answer={answer}
        params={params}
        filters={[
          {
            name: 'measure',
            label: t('filter.measure'),
            allLabel: t('filter.all'),
            options: filters.measure.map((value) => ({ value, label: t(`measure.${value}`) })),
          },
          {
            name: 'open',
            label: t('filter.state'),
            allLabel: t('filter.all'),
            options: [
              { value: 'true', label: t('filter.open') },
              { value: 'false', label: t('filter.over') },
            ],
          },
        ]}
        columns={useExcursionColumns()}
        rowId={(row) => row.id}
        rowName={(row) => t('rowName', { kind: t(`kind.${row.measure}.${row.side}`), time: formatTime(row.startAt) })}
        onOpen={open}
        card={(row) => <Card row={row} />}
        empty={{
          title: t('empty.title'),
          text: t(isFixed ? 'empty.fixed' : hasLimits ? 'empty.text' : 'empty.noLimits'),
        }}
      />
    </Stack>
  )
}

function Card({ row }: { row: Excursion }) {
  return (
    <span className={classes.card}>
      <span className={classes.cardRow}>
        <Kind row={row} />
        <Marks row={row} />
      </span>
      <span className={classes.cardRow}>
        <span>
          {formatTime(row.startAt)}
          <span className={shared.small}>
            – <End row={row} />
          </span>
        </span>
        <strong>{formatDuration(row.durationMs)}</strong>
      </span>
      <span className={classes.cardRow}>
        <span>
          <Peak row={row} />
        </span>
        <DegreeMinutes row={row} />
      </span>
    </span>
  )
}
