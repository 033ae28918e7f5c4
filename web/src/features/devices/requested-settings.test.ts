import { describe, expect, it } from 'vitest'
import { requestedInterval, requestedTransmission } from './requested-settings.ts'
import { buildDevice } from './test/build-device.ts'

const command = (kind: 'interval' | 'transmission', value: Record<string, unknown>) => ({
  kind,
  value,
  since: '2026-11-20T10:00:00.000Z',
  sentAt: null,
})

describe('commands', () => {
  it('outrank what the device confirmed, so that they can be taken back', () => {
    const device = buildDevice({
      waiting: [command('transmission', { state: 'paused' }), command('interval', { intervalS: 300 })],
    })
    expect(requestedTransmission(device)).toBe('paused')
    expect(requestedInterval(device)).toBe(300)
  })

  it('are what the device has when nothing waits', () => {
    expect(requestedTransmission(buildDevice())).toBe('started')
    expect(requestedInterval(buildDevice())).toBe(600)
  })
})
