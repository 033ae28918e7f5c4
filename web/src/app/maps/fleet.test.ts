import { deviceStatuses } from '@isotherm/contract/devices.ts'
import type { Fleet } from '@isotherm/contract/fleet.ts'
import type { LiveReading } from '@isotherm/contract/live.ts'
import { expect, test } from 'vitest'
import { chipsOf, devicesOf, found, summaryOf, withReadings } from './fleet.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const statuses = ['live', 'late', 'paused', 'awaiting'] as const
const fleet: Fleet = {
  at: new Date(now).toISOString(),
  ids: ['1', '2', '3', '4'],
  names: ['Van 1', 'Fridge', 'Box', 'New'],
  tags: [0, 1, null, null],
  tagNames: ['Lagos', 'Accra'],
  imeis: ['490154203237518', null, '350000000000001', null],
  statuses: statuses.map((status) => deviceStatuses.indexOf(status)),
  out: [0, 1, 1, 0],
  temperature: [0, 1, null, null],
  humidity: [null, null, null, null],
  limits: [0, 0, null, null],
  limitSets: [{ temperatureMinC: 2, temperatureMaxC: 8, humidityMinPct: null, humidityMaxPct: null }],
  temperatureC: [5, 9.4, 4, null],
  humidityPct: [null, null, null, null],
  ageS: [60, 900, 5000, null],
  lat: [6.5, 5.6, null, null],
  lon: [3.4, -0.2, null, null],
}
const devices = devicesOf(fleet)
const names = (filter: Partial<Parameters<typeof found>[1]>) =>
  found(devices, { search: '', status: undefined, tag: undefined, ...filter }).map(({ name }) => name)

test('columns become devices', () => {
  expect(devices[1]).toEqual({
    id: '2',
    name: 'Fridge',
    tag: 'Accra',
    imei: null,
    status: 'late',
    isOut: true,
    judgement: { temperature: 'above', humidity: null },
    temperatureC: 9.4,
    humidityPct: null,
    measuredAt: now - 900_000,
    lat: 5.6,
    lon: -0.2,
  })
})

test('search and chips find what the devices’ list finds', () => {
  expect(names({ search: ' van ' })).toEqual(['Van 1'])
  expect(names({ search: 'accra' })).toEqual(['Fridge'])
  expect(names({ search: '3500' })).toEqual(['Box'])
  expect(names({ status: 'inRange' })).toEqual(['Van 1'])
  expect(names({ status: 'outOfRange' })).toEqual(['Fridge'])
  expect(names({ status: 'silent' })).toEqual(['Fridge'])
  expect(names({ status: 'paused' })).toEqual(['Box'])
  expect(names({ tag: 'Lagos', status: 'late' })).toEqual([])
})

test('chips count all of them', () => {
  const { total, byStatus, inRange, outOfRange, silent, tags } = summaryOf(devices)
  expect([total, byStatus.live, inRange, outOfRange, silent, tags]).toEqual([4, 1, 1, 1, 1, ['Accra', 'Lagos']])
})

const push = (deviceId: string, temperatureC: number, atMs = now + 5_000): [string, LiveReading] => {
  const at = new Date(atMs).toISOString()
  const latest = {
    measuredAt: at,
    receivedAt: at,
    temperatureC,
    temperatureAt: at,
    humidityPct: null,
    humidityAt: null,
    batteryPct: null,
    lightLux: null,
  }
  const position = { lat: 7, lon: 4, at, accuracyM: null }
  return [deviceId, { deviceId, count: 1, from: at, to: at, latest, position, clockAheadS: null }]
}

test('a pushed reading is judged, moves the device, and ends its silence', () => {
  const [van, fridge] = devicesOf(withReadings(fleet, new Map([push('1', 8.5), push('2', 5)])))
  expect(van).toMatchObject({ temperatureC: 8.5, judgement: { temperature: 'above' }, lat: 7, measuredAt: now + 5_000 })
  expect(fridge).toMatchObject({ status: 'live', judgement: { temperature: 'inRange' } })
  expect(fleet.temperatureC[0]).toBe(5)
})

test('what is older than what is shown, or of a device not shown, changes nothing', () => {
  expect(withReadings(fleet, new Map([push('1', 9, now - 120_000), push('99', 9)]))).toBe(fleet)
})

test('a reading does not end a pause; without limits it is not judged', () => {
  const box = devicesOf(withReadings(fleet, new Map([push('3', 30)])))[2]
  expect(box).toMatchObject({ status: 'paused', temperatureC: 30, judgement: { temperature: null } })
})

test('the chips count what the search leaves, not the whole fleet', () => {
  const [first] = devices
  const { total, tags } = chipsOf(devices, { search: first?.name ?? '', tag: undefined })
  expect([total, tags]).toEqual([names({ search: first?.name ?? '' }).length, first?.tag ? [first.tag] : []])
  expect(total).toBeLessThan(devices.length)
})
