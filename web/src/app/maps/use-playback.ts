import { devices } from '@isotherm/contract/devices.ts'
import { useCallback, useMemo, useState } from 'react'
import { nowMs } from '../../lib/now.ts'
import { type Preset, periodOf } from '../../lib/periods.ts'
import { useCall } from '../../lib/query.ts'
import { useJourney } from '../../map/playback/use-journey.ts'
import { usePlayer } from '../../map/playback/use-player.ts'
import { pathOf } from '../../shared/device-past/path-points.ts'

/** A journey played again: its path, what happened on it, and the moment that is shown. */
export function usePlayback(deviceId: string | null) {
  const [opened, setOpened] = useState<{ id: string; preset: Preset; until: number } | null>(null)
  const isOpen = opened !== null && opened.id === deviceId
  const preset = opened?.preset ?? '24h'
  const period = useMemo(() => periodOf(preset, opened?.until ?? 0), [preset, opened?.until])
  const params = { id: opened?.id ?? '' }
  const fixes = useCall(devices.mapPoints, { params, query: { ...period, points: 2000 } }, { enabled: isOpen })
  const chart = useCall(devices.chart, { params, query: { ...period, points: 600 } }, { enabled: isOpen })
  const path = useMemo(() => (fixes.data ? pathOf(fixes.data) : null), [fixes.data])
  const { first, last, marks } = useJourney({ path, chart: chart.data, isOpen })
  const player = usePlayer({ isOpen, first, last, stops: marks?.stops })
  const { stop } = player

  const open = useCallback(() => {
    if (deviceId) setOpened({ id: deviceId, preset: '24h', until: nowMs() })
  }, [deviceId])
  const close = useCallback(() => {
    setOpened(null)
    stop()
  }, [stop])
  const choose = (next: Preset) => {
    if (player.isPlaying) player.toggle()
    setOpened((was) => was && { ...was, preset: next })
  }
  return {
    ...player,
    isOpen,
    open,
    close,
    periods: { chosen: preset, choose },
    marks,
    path: isOpen ? path : null,
    isLoading: isOpen && fixes.data === undefined && !fixes.error,
    error: fixes.error,
    retry: () => void fixes.refetch(),
    fitKey: isOpen && path ? `play ${opened.id} ${preset} ${opened.until}` : null,
  }
}
