import type { LiveReading } from '@isotherm/contract/live.ts'
import { describe, expect, it } from 'vitest'
import { withExcursion, withReading } from './live-update.ts'
import { buildDevice } from './test/build-device.ts'

const device = buildDevice()
const push = (temperatureC: number, measuredAt = '2026-11-20T10:10:00.000Z'): LiveReading => ({
  deviceId: device.id,
  count: 1,
  from: measuredAt,
  to: measuredAt,
  latest: { ...device.latest!, temperatureC, measuredAt, receivedAt: measuredAt, temperatureAt: measuredAt },
  position: { lat: 6.51, lon: 3.41, at: measuredAt, accuracyM: 5 },
  clockAheadS: null,
})

describe('withReading', () => {
  it('takes the new values and judges them by the limits', () => {
    const after = withReading(device, push(9.4))
    expect(after.latest?.temperatureC).toBe(9.4)
    expect(after.judgement.temperature).toBe('above')
  })

  it('brings a silent device back to life, but not a paused or expired one', () => {
    expect(withReading(buildDevice({ status: 'offline' }), push(5)).status).toBe('live')
    expect(withReading(buildDevice({ status: 'awaiting', latest: null }), push(5)).status).toBe('live')
    expect(withReading(buildDevice({ status: 'paused' }), push(5)).status).toBe('paused')
    expect(withReading(buildDevice({ status: 'expired' }), push(5)).status).toBe('expired')
  })

  it('is not moved by a push older than what is known', () => {
    expect(withReading(device, push(1, '2026-11-20T09:00:00.000Z'))).toBe(device)
    expect(withReading(device, { ...push(1), latest: null })).toBe(device)
  })

  it('keeps the name of the place nearby, and forgets it far away', () => {
    expect(withReading(device, push(5)).position?.placeName).toBe('Lagos')
    const far = { ...push(5), position: { lat: 9.05, lon: 7.49, at: '2026-11-20T10:10:00.000Z', accuracyM: 5 } }
    expect(withReading(device, far).position?.placeName).toBeNull()
  })
})

describe('withExcursion', () => {
  const excursion = {
    id: '1',
    deviceId: device.id,
    measure: 'temperature',
    side: 'above',
    startAt: '2026-11-20T10:10:00.000Z',
    endAt: null,
    peak: 9.4,
    peakAt: '2026-11-20T10:10:00.000Z',
    state: 'started',
    late: false,
  } as const

  it('remembers since when, the first time', () => {
    const after = withExcursion(device, excursion)
    expect(after.excursionSince).toBe('2026-11-20T10:10:00.000Z')
    expect(withExcursion(after, { ...excursion, startAt: '2026-11-20T10:20:00.000Z' }).excursionSince).toBe(
      '2026-11-20T10:10:00.000Z',
    )
  })
})
