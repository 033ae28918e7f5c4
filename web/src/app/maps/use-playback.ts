import { devices } from '@isotherm/contract/devices.ts'
import { places } from '@isotherm/contract/places.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { createCursor } from '../../charts/cursor.ts'
import { pathOf } from '../../features/devices/path-points.ts'
import { call } from '../../lib/call.ts'
import { type Preset, periodOf } from '../../lib/periods.ts'
import { useCall } from '../../lib/query.ts'
import { type PlaybackMarks, playbackMarks } from './playback-marks.ts'

export const speeds = [1, 10, 60, 100, 300, 600, 1000] as const
export type Speed = (typeof speeds)[number]

/** The map is drawn at most this often. */
const frameMs = 33

/** A journey played again: its path, what happened on it, and the moment that is shown. */
export function usePlayback(deviceId: string | null) {
  const [opened, setOpened] = useState<{ id: string; preset: Preset; until: number } | null>(null)
  const [speed, setSpeed] = useState<Speed>(300)
  const [isPlaying, setPlaying] = useState(false)
  const [follow, setFollow] = useState(false)
  const [skipStops, setSkipStops] = useState(false)
  const [cursor] = useState(createCursor)
  const isOpen = opened !== null && opened.id === deviceId
  const preset = opened?.preset ?? '24h'
  const period = useMemo(() => periodOf(preset, opened?.until ?? 0), [preset, opened?.until])
  const params = { id: opened?.id ?? '' }
  const fixes = useCall(devices.mapPoints, { params, query: { ...period, points: 2000 } }, { enabled: isOpen })
  const chart = useCall(devices.chart, { params, query: { ...period, points: 600 } }, { enabled: isOpen })
  const path = useMemo(() => (fixes.data ? pathOf(fixes.data) : null), [fixes.data])
  const stops = useQuery({
    queryKey: [places.correct.path, params.id, period],
    queryFn: () => call(places.correct, { body: { fixes: fixesOf(path) } }),
    enabled: isOpen && (path?.points.length ?? 0) > 1,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const first = path?.points[0]?.at
  const last = path?.points.at(-1)?.at
  const marks = useMemo<PlaybackMarks | null>(
    () =>
      first === undefined || last === undefined || last <= first
        ? null
        : playbackMarks({ from: first, to: last, chart: chart.data, stops: stops.data?.stops ?? [] }),
    [first, last, chart.data, stops.data],
  )

  useEffect(() => {
    if (first !== undefined) cursor.set(first)
  }, [first, cursor])
  useEffect(() => {
    if (!isOpen || !isPlaying || first === undefined || last === undefined) return
    let before = performance.now()
    let frame = requestAnimationFrame(function step(now) {
      frame = requestAnimationFrame(step)
      if (now - before < frameMs) return
      const moved = (cursor.get() ?? first) + (now - before) * speed
      const next = skipStops ? pastStop(marks?.stops ?? [], moved) : moved
      before = now
      cursor.set(Math.min(next, last))
      if (next >= last) setPlaying(false)
    })
    return () => cancelAnimationFrame(frame)
  }, [isOpen, isPlaying, speed, skipStops, marks, first, last, cursor])

  const open = useCallback(() => {
    if (deviceId) setOpened({ id: deviceId, preset: '24h', until: Date.now() })
    setPlaying(false)
  }, [deviceId])
  const close = useCallback(() => {
    setOpened(null)
    setPlaying(false)
    setFollow(false)
    cursor.set(null)
  }, [cursor])
  const choose = (next: Preset) => {
    setPlaying(false)
    setOpened((was) => was && { ...was, preset: next })
  }
  const toggle = () => {
    // At the end, from the beginning.
    if (!isPlaying && last !== undefined && first !== undefined && (cursor.get() ?? 0) >= last) cursor.set(first)
    setPlaying(!isPlaying)
  }
  return {
    ...{
      isOpen,
      open,
      close,
      preset,
      choose,
      speed,
      setSpeed,
      isPlaying,
      toggle,
      follow,
      setFollow,
      skipStops,
      setSkipStops,
      cursor,
      marks,
    },
    path: isOpen ? path : null,
    isLoading: isOpen && fixes.data === undefined && !fixes.error,
    error: fixes.error,
    retry: () => void fixes.refetch(),
    fitKey: isOpen && path ? `play ${opened.id} ${preset} ${opened.until}` : null,
  }
}
export type Playback = ReturnType<typeof usePlayback>

/** The end of the stop an instant lies in, else the instant. */
export const pastStop = (stops: PlaybackMarks['stops'], at: number): number =>
  stops.reduce((to, stop) => (to >= stop.at && to < stop.at + stop.durationMs ? stop.at + stop.durationMs : to), at)

const fixesOf = (path: ReturnType<typeof pathOf> | null) =>
  (path?.points ?? []).map(({ at, lat, lon }) => ({ at: new Date(at).toISOString(), lat: lat ?? 0, lon: lon ?? 0 }))
