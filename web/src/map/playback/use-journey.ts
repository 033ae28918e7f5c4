import type { Chart } from '@isotherm/contract/device-history.ts'
import { places } from '@isotherm/contract/places.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../lib/call.ts'
import { can } from '../../lib/can.ts'
import type { MapPath } from '../path-data.ts'
import { type PlaybackMarks, playbackMarks } from './playback-marks.ts'

interface JourneyInput {
  path: MapPath | null
  chart: Chart | undefined
  isOpen: boolean
}

/** When a path begins and ends, and what happened on the way; null marks where there is no way. */
export function useJourney({ path, chart, isOpen }: JourneyInput) {
  const body = useMemo(() => ({ fixes: fixesOf(path) }), [path])
  const sent = useMemo(() => JSON.stringify(body), [body])
  const stops = useQuery({
    // As one text: a path has a thousand fixes, and the key is looked at whenever something is drawn.
    queryKey: [places.correct.path, sent],
    queryFn: () => call(places.correct, { body }),
    enabled: isOpen && can(places.correct) && (path?.points.length ?? 0) > 1,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const first = path?.points[0]?.at
  const last = path?.points.at(-1)?.at
  const marks = useMemo<PlaybackMarks | null>(
    () =>
      first === undefined || last === undefined || last <= first
        ? null
        : playbackMarks({ from: first, to: last, chart, stops: stops.data?.stops ?? [] }),
    [first, last, chart, stops.data],
  )
  return { first, last, marks }
}

const fixesOf = (path: MapPath | null) =>
  (path?.points ?? []).map(({ at, lat, lon }) => ({ at: new Date(at).toISOString(), lat: lat ?? 0, lon: lon ?? 0 }))
