import { groupRecords } from '@isotherm/contract/group-records.ts'
import { Paper } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../../lib/profile.ts'
import { useCall } from '../../lib/query.ts'
import { formatTime } from '../../lib/times.ts'
import { IsothermMap } from '../../map/isotherm-map.tsx'
import { Failure } from '../../ui/failure.tsx'
import classes from './records.module.css'

/** Where each device of the record was last, within it. */
export function RecordLocationsMap({ groupId, recordId }: { groupId: string; recordId: string }) {
  const { t } = useTranslation('records')
  const mapType = useCompany()?.mapType
  const answer = useCall(groupRecords.locations, { params: { id: groupId, recordId } }, { refetchMs: 60_000 })
  const markers = useMemo(
    () =>
      (answer.data?.devices ?? []).map(({ id, name, last }) => ({
        id,
        lat: last.lat,
        lon: last.lon,
        accuracyM: null,
        state: 'none' as const,
        label: name,
        value: formatTime(last.at),
      })),
    [answer.data],
  )
  return (
    <Paper className={classes.map}>
      {answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      <IsothermMap
        label={t('locations.title')}
        height={320}
        markers={markers}
        fitTo="all"
        fitKey={`${recordId} ${markers.length}`}
        mapType={mapType}
        cooperative
        emptyText={t('locations.empty')}
      />
    </Paper>
  )
}
