import type { Period } from '@isotherm/contract/common.ts'
import { devices } from '@isotherm/contract/devices.ts'
import { groupRecords } from '@isotherm/contract/group-records.ts'
import { limits } from '@isotherm/contract/limits.ts'
import { type RecordDetails, type RecordStats, records } from '@isotherm/contract/records.ts'
import type { MeasureStats } from '@isotherm/contract/stats.ts'
import { Skeleton, Text } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Cursor, createCursor } from '../../charts/cursor.ts'
import { HistoryTable } from '../../features/devices/parts/history-table.tsx'
import { PeriodView } from '../../features/devices/parts/period-view.tsx'
import { DeviceExcursions } from '../../features/excursions/parts/device-excursions.tsx'
import { BudgetCard } from '../../features/records/parts/budget-card.tsx'
import { FilesCard } from '../../features/records/parts/files-card.tsx'
import { NotesCard } from '../../features/records/parts/notes-card.tsx'
import { RecordDevices } from '../../features/records/parts/record-devices.tsx'
import { RecordFacts } from '../../features/records/parts/record-facts.tsx'
import { ReportsCard } from '../../features/records/parts/reports-card.tsx'
import { SignaturesCard } from '../../features/records/parts/signatures-card.tsx'
import { useWatchedRecord } from '../../features/records/watch-record.ts'
import { useCan } from '../../lib/can.ts'
import { useNow } from '../../lib/now.ts'
import { useCall } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { Failure } from '../../ui/failure.tsx'
import frames from '../../ui/frames.module.css'
import { newestPart, ownPeriod } from './own-period.ts'
import { RecordChart } from './record-chart.tsx'
import { Anchored } from './record-sections.tsx'
import classes from './records.module.css'

/** Beyond this number of devices, values are fetched every minute, not at every reading. */
const maxFollowed = 20
/** A running record grows: its end is rounded up to this, so that answers stay cached while new readings come in. */
const slotMs = 300_000

function usePeriodOf({ state, from, to }: RecordDetails): Period {
  const now = useNow()
  const start = Date.parse(from)
  const end = state === 'ended' ? Date.parse(to) : Math.ceil(now / slotMs) * slotMs
  // One that has just begun still has a width.
  const until = new Date(Math.max(end, start + 60_000)).toISOString()
  return useMemo(() => ({ from, to: until }), [from, until])
}

/** Everything a record's page shows: what it is, what is left of its budget, what its devices measured, its papers, and the readings last. */
export function RecordView({ record, children }: { record: RecordDetails; children?: ReactNode }) {
  const { t } = useTranslation('records')
  const [maySign, mayNote, mayAttach] = [useCan(records.sign), useCan(records.addNote), useCan(records.attach)]
  const mayView = useCan('devices.view')
  const [chosen, setChosen] = useState<string>()
  const isRunning = record.state === 'running'
  useWatchedRecord(
    record.id,
    record.devices.map(({ id }) => id),
    isRunning && record.devices.length <= maxFollowed,
  )
  const hasBegun = record.state !== 'planned'
  const stats: RecordStats | undefined = useCall(
    records.stats,
    { params: { id: record.id } },
    { enabled: hasBegun, refetchMs: isRunning ? 60_000 : undefined },
  ).data
  const figures = useFigures(record, stats, mayView)
  const deviceId = chosen ?? record.devices[0]?.id
  const period = usePeriodOf(record)
  const [cursor] = useState(createCursor)
  const device = record.devices.find(({ id }) => id === deviceId)
  const own = useMemo(() => (device ? ownPeriod(period, device, stats) : null), [period, device, stats])
  const shown = useMemo(() => own && newestPart(own), [own])
  const measured = hasBegun && mayView && deviceId && shown ? { record, period: shown, deviceId, cursor } : null
  return (
    <div className={frames.stack}>
      <RecordFacts record={record} stats={stats} />
      {record.budget && <BudgetCard budget={record.budget} />}
      <RecordDevices
        {...{ record, figures, chosen: deviceId, onChoose: setChosen }}
        unattended={stats?.unattended ?? []}
      />
      {hasBegun && record.devices.length > 1 && <RecordChart record={record} period={period} chosen={chosen} />}
      {children}
      {measured && shown !== own && (
        <Text size="sm" c="dimmed">
          {t('cut', { days: limits.maxPeriodDays })}
        </Text>
      )}
      {measured && <Measured key={`chart ${deviceId}`} {...measured} part="chart" />}
      {measured && <Measured key={`excursions ${deviceId}`} {...measured} part="excursions" />}
      <Anchored id="signatures">
        <SignaturesCard record={record} mayEdit={maySign} />
      </Anchored>
      <Anchored id="papers" className={classes.columns}>
        <NotesCard record={record} mayEdit={mayNote} />
        <FilesCard record={record} mayEdit={mayAttach} />
      </Anchored>
      {mayView && hasBegun && (
        <Anchored id="reports">
          <ReportsCard record={record} />
        </Anchored>
      )}
      {measured && <Measured key={`readings ${deviceId}`} {...measured} part="readings" />}
    </div>
  )
}

/** The temperature of each device: by the group's own call for who may not see devices otherwise. */
function useFigures(record: RecordDetails, stats: RecordStats | undefined, mayView: boolean) {
  const params = { id: record.group?.id ?? '1', recordId: record.id, type: 'temperature' }
  const isGroups = record.group !== null && record.state !== 'planned' && !mayView
  const ofGroup = useCall(groupRecords.stats, { params, query: { perPage: 50 } }, { enabled: isGroups }).data
  return useMemo(
    () =>
      new Map<string, MeasureStats>([
        ...(ofGroup?.data ?? []).map((one) => [one.device.id, one.stats] as const),
        ...(stats?.devices ?? []).map((one) => [one.deviceId, one.temperature] as const),
      ]),
    [ofGroup, stats],
  )
}

interface MeasuredProps {
  record: RecordDetails
  period: Period
  deviceId: string
  cursor: Cursor
  part: 'chart' | 'excursions' | 'readings'
}

/** A part of what one of its devices measured: chart, figures and path; or its excursions; or its readings. */
function Measured({ record, period, deviceId, cursor, part }: MeasuredProps) {
  const { t } = useTranslation('records')
  const zone = useSession((state) => state.timezone)
  const answer = useCall(devices.one, { params: { id: deviceId } }, { refetchMs: 60_000 })
  const device = answer.data
  if (!device && part !== 'chart') return null
  if (!device)
    return answer.error ? (
      <Failure error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <Skeleton height={420} radius="md" />
    )
  return (
    <Anchored id={part} className={frames.stack} label={t(`sectionOf.${part}`, { name: device.name })}>
      {part === 'chart' && record.devices.length > 1 && <h2 className={classes.device}>{device.name}</h2>}
      {part === 'chart' && (
        <PeriodView
          // Where it is now is no part of a record that is over.
          device={record.state === 'ended' ? { ...device, position: null } : device}
          period={period}
          periodKey={`${record.id} ${deviceId}`}
          cursor={cursor}
        />
      )}
      {part === 'excursions' && <DeviceExcursions device={device} period={period} isFixed />}
      {part === 'readings' && <HistoryTable device={device} period={period} zone={zone} cursor={cursor} />}
    </Anchored>
  )
}
