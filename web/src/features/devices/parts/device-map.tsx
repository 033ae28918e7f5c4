import type { Period } from '@isotherm/contract/common.ts'
import { type Device, devices } from '@isotherm/contract/devices.ts'
import { Paper } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Cursor, useCursor } from '../../../charts/cursor.ts'
import { formatTemperature } from '../../../lib/numbers.ts'
import { useCompany } from '../../../lib/profile.ts'
import { useCall } from '../../../lib/query.ts'
import { IsothermMap } from '../../../map/isotherm-map.tsx'
import map from '../../../map/map.module.css'
import { pathOf } from '../../../shared/device-past/path-points.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Renewing } from '../../../ui/renewing.tsx'
import { stateOf } from '../device-state.ts'
import classes from './details.module.css'

// Only where somebody asks for it: the page is full.
const DevicePlayback = lazy(async () => ({ default: (await import('./device-playback.tsx')).DevicePlayback }))
const FollowCursor = lazy(async () => ({
  default: (await import('../../../map/playback/follow-cursor.tsx')).FollowCursor,
}))
const noPadding = {}

interface DeviceMapProps {
  device: Device
  period: Period
  /** Changes with the period: the map then looks at the whole path again. */
  periodKey: string
  cursor: Cursor
}

/** Where it is and where it was, and its way played again; the cursor goes along with the chart's. */
export function DeviceMap({ device, period, periodKey, cursor }: DeviceMapProps) {
  const { t } = useTranslation('devices')
  const mapType = useCompany()?.mapType
  const answer = useCall(
    devices.mapPoints,
    { params: { id: device.id }, query: { ...period, points: 1000 } },
    { keepPrevious: true },
  )
  const path = useMemo(() => (answer.data ? pathOf(answer.data) : null), [answer.data])
  const cursorAt = useCursor(cursor)
  const [playing, setPlaying] = useState(false)
  const [follow, setFollow] = useState(false)
  const end = () => {
    setPlaying(false)
    setFollow(false)
  }
  const canPlay = (path?.points.length ?? 0) > 1
  // The map looks anew at what it shows once the path of another period is there, not before.
  const fitKey = useRef(device.id)
  if (answer.data && !answer.isPlaceholderData) fitKey.current = `${device.id} ${periodKey}`
  const { id, name, position, latest, status, judgement } = device
  const markers = useMemo(
    () =>
      position
        ? [
            {
              id,
              lat: position.lat,
              lon: position.lon,
              accuracyM: position.accuracyM,
              state: stateOf({ status, judgement }).tone,
              label: name,
              value: latest ? formatTemperature(latest.temperatureC) : undefined,
            },
          ]
        : [],
    [id, name, position, latest, status, judgement],
  )
  return (
    <Renewing isOld={answer.isPlaceholderData}>
      <Paper className={classes.map}>
        {answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
        <IsothermMap
          label={t('map.path')}
          height={360}
          markers={markers}
          path={path}
          fitTo="all"
          fitKey={fitKey.current}
          mapType={mapType}
          cursorAt={cursorAt}
          onCursorAt={playing ? undefined : cursor.set}
          cooperative
          emptyText={t('map.noPosition')}
          controls={
            canPlay && (
              <button
                type="button"
                className={map.button}
                aria-label={t('map.play')}
                title={t('map.play')}
                aria-expanded={playing}
                onClick={() => (playing ? end() : setPlaying(true))}
              >
                <IconPlayerPlay size={18} stroke={1.7} aria-hidden="true" style={{ fill: 'none' }} />
              </button>
            )
          }
        >
          {playing && follow && (
            <Suspense fallback={null}>
              <FollowCursor cursor={cursor} path={path} padding={noPadding} />
            </Suspense>
          )}
        </IsothermMap>
        {playing && path && canPlay && (
          <Suspense fallback={null}>
            <DevicePlayback
              key={fitKey.current}
              device={device}
              period={period}
              path={path}
              cursor={cursor}
              follow={follow}
              onFollow={setFollow}
              onClose={end}
            />
          </Suspense>
        )}
      </Paper>
    </Renewing>
  )
}
