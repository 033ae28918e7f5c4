import { describe, expect, it } from 'vitest'
import { buildDevice } from './test/build-device.ts'
import { wishedInterval, wishedTransmission } from './wishes.ts'

const wish = (kind: 'interval' | 'transmission', value: Record<string, unknown>) => ({
  kind,
  value,
  since: '2026-11-20T10:00:00.000Z',
  sentAt: null,
})

describe('wishes', () => {
  it('outrank what the device confirmed, so that they can be taken back', () => {
    const device = buildDevice({
      waiting: [wish('transmission', { state: 'paused' }), wish('interval', { intervalS: 300 })],
    })
    expect(wishedTransmission(device)).toBe('paused')
    expect(wishedInterval(device)).toBe(300)
  })

  it('are what the device has when nothing waits', () => {
    expect(wishedTransmission(buildDevice())).toBe('started')
    expect(wishedInterval(buildDevice())).toBe(600)
  })
})
