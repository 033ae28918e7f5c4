import { useCallback, useEffect, useState } from 'react'
import { type Cursor, createCursor } from '../../charts/cursor.ts'
import type { PlaybackMarks } from './playback-marks.ts'

/** How much faster than it was. */
export const speeds = [1, 10, 60, 100, 300, 600, 1000] as const
export type Speed = (typeof speeds)[number]

/** The map is drawn at most this often. */
const frameMs = 33

export interface Player {
  /** The moment that is shown. */
  cursor: Cursor
  seek: (at: number) => void
  isPlaying: boolean
  toggle: () => void
  stop: () => void
  speed: Speed
  setSpeed: (speed: Speed) => void
  follow: boolean
  setFollow: (follow: boolean) => void
  skipStops: boolean
  setSkipStops: (skip: boolean) => void
}

interface Journey {
  isOpen: boolean
  /** Start and end of the path, ms; undefined until it is there. */
  first: number | undefined
  last: number | undefined
  stops: PlaybackMarks['stops'] | undefined
}

/** Moves a cursor along a journey in scaled time. */
export function usePlayer({ isOpen, first, last, stops = none }: Journey): Player {
  const [speed, setSpeed] = useState<Speed>(300)
  const [isPlaying, setPlaying] = useState(false)
  const [follow, setFollow] = useState(false)
  const [skipStops, setSkipStops] = useState(false)
  const [cursor] = useState(createCursor)
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
      const next = skipStops ? pastStop(stops, moved) : moved
      before = now
      cursor.set(Math.min(next, last))
      if (next >= last) setPlaying(false)
    })
    return () => cancelAnimationFrame(frame)
  }, [isOpen, isPlaying, speed, skipStops, stops, first, last, cursor])
  const toggle = () => {
    // At the end, from the beginning.
    if (!isPlaying && last !== undefined && first !== undefined && (cursor.get() ?? 0) >= last) cursor.set(first)
    setPlaying(!isPlaying)
  }
  const stop = useCallback(() => {
    setPlaying(false)
    setFollow(false)
    cursor.set(null)
  }, [cursor])
  return {
    ...{ cursor, seek: cursor.set, isPlaying, toggle, stop },
    ...{ speed, setSpeed, follow, setFollow, skipStops, setSkipStops },
  }
}

const none: PlaybackMarks['stops'] = []

/** The end of the stop an instant lies in, else the instant. */
export const pastStop = (stops: PlaybackMarks['stops'], at: number): number =>
  stops.reduce((to, stop) => (to >= stop.at && to < stop.at + stop.durationMs ? stop.at + stop.durationMs : to), at)
