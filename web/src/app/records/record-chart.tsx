import type { Period } from '@isotherm/contract/common.ts'
import type { Measure } from '@isotherm/contract/device-limits.ts'
import { groupRecords } from '@isotherm/contract/group-records.ts'
import { groupLimits } from '@isotherm/contract/groups.ts'
import { type RecordDetails, records } from '@isotherm/contract/records.ts'
import { Paper, SegmentedControl, Skeleton } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LazyTimeChart } from '../../charts/lazy-time-chart.tsx'
import { useLineColours } from '../../charts/line-colours.ts'
import { useCan } from '../../lib/can.ts'
import { useCall } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { Failure } from '../../ui/failure.tsx'
import frames from '../../ui/frames.module.css'
import { Renewing } from '../../ui/renewing.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { panelOf } from '../groups/chart-panel.ts'
import classes from './records.module.css'

interface RecordChartProps {
  record: RecordDetails
  period: Period
  /** The device whose line stands out. */
  chosen: string | undefined
}

/** All devices of a record on one chart; a group's by the group's own call. */
export function RecordChart({ record, period, chosen }: RecordChartProps) {
  const { t } = useTranslation(['records', 'groups'])
  const zone = useSession((state) => state.timezone)
  const mayExport = useCan(record.group ? 'groups.export' : 'devices.export')
  const height = usePhone() ? 260 : 340
  const [measure, setMeasure] = useState<Measure>('temperature')
  const answer = useChart(record, measure)
  const { data } = answer
  const name = t(`groups:overview.${measure}`)
  const colours = useLineColours(useMemo(() => (chosen === undefined ? [] : [chosen]), [chosen]))
  const panels = useMemo(() => data && [panelOf(data, period, name, colours)], [data, period, name, colours])
  const isBand = (data?.devices ?? 0) > groupLimits.lines
  return (
    <Paper component="section" className={frames.panel} aria-labelledby="record-chart">
      <div className={classes.bar}>
        <h2 id="record-chart">{t('together')}</h2>
        <SegmentedControl
          size="xs"
          aria-label={t('groups:chart.measure')}
          value={measure}
          onChange={(value) => setMeasure(value === 'humidity' ? 'humidity' : 'temperature')}
          data={(['temperature', 'humidity'] as const).map((value) => ({
            value,
            label: t(`groups:overview.${value}`),
          }))}
        />
      </div>
      {panels && (
        <Renewing isOld={answer.isPlaceholderData}>
          <LazyTimeChart
            key={measure}
            panels={panels}
            from={Date.parse(period.from)}
            to={Date.parse(period.to)}
            zone={zone}
            name={t('together')}
            height={height}
            {...(mayExport && { image: { title: t('groups:chart.image', { group: record.name, measure: name }) } })}
          />
        </Renewing>
      )}
      {data && (
        <p className={frames.note}>
          {isBand
            ? t('groups:chart.bandOnly', { limit: groupLimits.lines })
            : t('groups:chart.mean', { count: data.devices })}
        </p>
      )}
      {!data && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {!data && !answer.error && <Skeleton height={height} />}
    </Paper>
  )
}

function useChart({ id, group, state }: RecordDetails, measure: Measure) {
  const options = { keepPrevious: true, refetchMs: state === 'running' ? 60_000 : undefined }
  const query = { measure }
  const ofDevices = useCall(records.chart, { params: { id }, query }, { ...options, enabled: group === null })
  const params = { id: group?.id ?? '0', recordId: id }
  const ofGroup = useCall(groupRecords.chart, { params, query }, { ...options, enabled: group !== null })
  return group ? ofGroup : ofDevices
}
