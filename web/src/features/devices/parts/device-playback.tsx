import type { Period } from '@isotherm/contract/common.ts'
import type { Device } from '@isotherm/contract/devices.ts'
import { useEffect, useState } from 'react'
import type { Cursor } from '../../../charts/cursor.ts'
import type { MapPath } from '../../../map/path-data.ts'
import { PlaybackBar } from '../../../map/playback/playback-bar.tsx'
import { useJourney } from '../../../map/playback/use-journey.ts'
import { usePlayer } from '../../../map/playback/use-player.ts'
import { useWholeChart } from '../use-chart.ts'

interface DevicePlaybackProps {
  device: Device
  period: Period
  path: MapPath
  /** Goes along with the moment that is played: chart, map and table then show it. */
  cursor: Cursor
  follow: boolean
  onFollow: (follow: boolean) => void
  onClose: () => void
}

/** Plays the period's path again, beneath its map: as it was when asked for, though readings come in meanwhile. */
export function DevicePlayback({ device, cursor, follow, onFollow, onClose, ...given }: DevicePlaybackProps) {
  const [{ period, path }] = useState(given)
  const chart = useWholeChart(device.id, period)
  const { first, last, marks } = useJourney({ path, chart: chart.data, isOpen: true })
  const player = usePlayer({ isOpen: true, first, last, stops: marks?.stops })
  const played = player.cursor
  useEffect(() => {
    const show = () => cursor.set(played.get())
    show()
    const stop = played.subscribe(show)
    return () => {
      stop()
      cursor.set(null)
    }
  }, [played, cursor])
  return (
    <PlaybackBar
      name={device.name}
      playback={{
        ...player,
        ...{ follow, setFollow: onFollow, marks },
        ...{ isLoading: false, error: null, retry: onClose, close: onClose },
      }}
    />
  )
}
