import { judgementOf } from '@isotherm/contract/device-limits.ts'
import type { Device } from '@isotherm/contract/devices.ts'
import type { LiveExcursion, LiveReading } from '@isotherm/contract/live.ts'

// States that a new reading cannot end: only a person or a payment does.
const kept = new Set<Device['status']>(['paused', 'flightMode', 'off', 'expired', 'decommissioned'])

/** The device after a pushed batch of readings. Judged by the limits of now: what is pushed was measured just now. */
export function withReading(device: Device, push: LiveReading): Device {
  const { latest, position } = push
  if (!latest || (device.latest && latest.measuredAt < device.latest.measuredAt)) return device
  const { limits } = device
  return {
    ...device,
    latest,
    position: position
      ? { ...position, placeName: samePlace(device.position, position) ? (device.position?.placeName ?? null) : null }
      : device.position,
    clockAheadS: push.clockAheadS,
    status: kept.has(device.status) ? device.status : 'live',
    judgement: {
      temperature: judgementOf(latest.temperatureC, limits.temperatureMinC, limits.temperatureMaxC),
      humidity: judgementOf(latest.humidityPct, limits.humidityMinPct, limits.humidityMaxPct),
    },
  }
}

/** Within about 5 km the name of the nearest town still holds; further away it is fetched. */
const samePlace = (a: Device['position'], b: { lat: number; lon: number }) =>
  a !== null && Math.abs(a.lat - b.lat) < 0.05 && Math.abs(a.lon - b.lon) < 0.05

/** The device after a pushed excursion: since when it has been out of its limits. */
export function withExcursion(device: Device, push: LiveExcursion): Device {
  if (push.state === 'started' && push.endAt === null)
    return { ...device, excursionSince: device.excursionSince ?? push.startAt }
  return device
}
