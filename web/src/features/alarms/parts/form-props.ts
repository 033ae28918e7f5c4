import type { Geofence, PointOfInterest } from '@isotherm/contract/places.ts'
import type { ReactNode } from 'react'
import type { AlarmValues } from '../alarm-values.ts'

/** The props of every part of the alarm form: the values, a way to change some, and errors by path. */
export interface PartProps {
  values: AlarmValues
  change: (next: Partial<AlarmValues>) => void
  errors: Record<string, ReactNode>
}

export interface Places {
  geofences: readonly Geofence[]
  points: readonly PointOfInterest[]
}
