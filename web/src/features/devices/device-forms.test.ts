import { LimitsChange, limitPresets, presetNames } from '@isotherm/contract/device-limits.ts'
import { DeviceSetup } from '@isotherm/contract/devices.ts'
import { describe, expect, it } from 'vitest'
import { digitsOf, hasValidCheckDigit, isImei } from './imei.ts'
import { limitsChange, presetOf, valuesOf } from './limit-values.ts'
import { chosenOf, searchOf } from './period-search.ts'

describe('IMEI', () => {
  it('knows the check digit', () => {
    expect(hasValidCheckDigit('490154203237518')).toBe(true)
    expect(hasValidCheckDigit('490154203237519')).toBe(false)
  })

  it('is 15 digits, however it was typed', () => {
    expect(isImei(digitsOf('49-015420-323751 8'))).toBe(true)
    expect(isImei('new')).toBe(false)
  })
})

describe('limits of a form', () => {
  it('are sent as the preset they are, and taken by the contract', () => {
    for (const name of presetNames) {
      const change = limitsChange(valuesOf(limitPresets[name]))
      expect(change).toEqual({ preset: name })
      expect(LimitsChange.safeParse(change).success).toBe(true)
    }
  })

  it('are own limits otherwise, with what is empty as no limit', () => {
    const change = limitsChange({ temperatureMinC: 3, temperatureMaxC: '', humidityMinPct: '', humidityMaxPct: 70 })
    expect(change).toEqual({ temperatureMinC: 3, temperatureMaxC: null, humidityMinPct: null, humidityMaxPct: 70 })
    expect(presetOf(change as never)).toBe('own')
  })

  it('are refused by the contract where they cross', () => {
    const crossed = limitsChange({ temperatureMinC: 9, temperatureMaxC: 8, humidityMinPct: '', humidityMaxPct: '' })
    const result = DeviceSetup.safeParse({ imei: '490154203237518', licenceKey: 'K', name: 'Van', limits: crossed })
    expect(result.error?.issues[0]?.path).toEqual(['limits', 'temperatureMaxC'])
  })
})

describe('the period in the URL', () => {
  it('is the last 24 hours unless asked otherwise, and with nonsense', () => {
    expect(chosenOf({})).toEqual({ preset: '24h' })
    expect(chosenOf({ period: 'forever' })).toEqual({ preset: '24h' })
    expect(chosenOf({ from: 'x', to: 'y' })).toEqual({ preset: '24h' })
    expect(chosenOf({ period: 'toString' })).toEqual({ preset: '24h' })
  })

  it('comes back as it was chosen', () => {
    const period = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' }
    expect(chosenOf(searchOf({ preset: 'custom', period }))).toEqual({ preset: 'custom', period })
    expect(chosenOf(searchOf({ preset: '7d' }))).toEqual({ preset: '7d' })
    expect(searchOf({ preset: '24h' })).toEqual({ period: '24h', page: undefined, from: undefined, to: undefined })
  })

  it('does not accept a start at or after its end, nor more than the server takes', () => {
    expect(chosenOf({ from: '2026-11-02T00:00:00Z', to: '2026-11-02T00:00:00Z' })).toEqual({ preset: '24h' })
    expect(chosenOf({ from: '2020-01-01T00:00:00Z', to: '2026-11-02T00:00:00Z' })).toEqual({ preset: '24h' })
  })
})
