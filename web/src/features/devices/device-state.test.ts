import { deviceStatuses } from '@isotherm/contract/devices.ts'
import { describe, expect, it } from 'vitest'
import { alarmTone, stateOf, toneOf } from './device-state.ts'
import { buildDevice } from './test/build-device.ts'

describe('stateOf', () => {
  it('looks different for every status', () => {
    const looks = deviceStatuses.map((status) => stateOf(buildDevice({ status })))
    expect(new Set(looks.map(({ word }) => word)).size).toBe(deviceStatuses.length)
  })

  it('puts out of range before late: the goods come first', () => {
    const late = buildDevice({ status: 'late', judgement: { temperature: 'above', humidity: null } })
    expect(stateOf(late)).toMatchObject({ tone: 'warm', word: 'tooWarm' })
    expect(stateOf(buildDevice({ status: 'late' }))).toMatchObject({ tone: 'warning', word: 'late' })
  })

  it('does not call a device in range that is silent, whatever it said last', () => {
    const offline = buildDevice({ status: 'offline', judgement: { temperature: 'above', humidity: null } })
    expect(stateOf(offline)).toMatchObject({ tone: 'none', word: 'offline' })
    expect(toneOf('above', 'offline')).toBe('none')
    expect(alarmTone('above', 'live')).toBe('warm')
  })

  it('says live, not in range, where there are no limits', () => {
    expect(stateOf(buildDevice({ judgement: { temperature: null, humidity: null } })).word).toBe('live')
  })

  it('names humidity where only humidity is outside', () => {
    expect(stateOf(buildDevice({ judgement: { temperature: 'inRange', humidity: 'below' } })).word).toBe('tooDry')
  })
})
