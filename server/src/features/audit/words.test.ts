import { FenceRule, NoDataRule, ValueRule } from '@isotherm/contract/alarm-rules.ts'
import { Alarm } from '@isotherm/contract/alarms.ts'
import { Company, Ppecb } from '@isotherm/contract/company.ts'
import { Limits } from '@isotherm/contract/device-limits.ts'
import { NotificationSettings } from '@isotherm/contract/notifications.ts'
import { Geofence, PointOfInterest } from '@isotherm/contract/places.ts'
import { User } from '@isotherm/contract/users.ts'
import { expect, test } from 'vitest'
import { timeInWords, wordOr } from './value-words.ts'
import { actorInWords, changesInWords, targetInWords } from './words.ts'

const english = { locale: 'en', zone: 'Africa/Lagos' } as const
const french = { locale: 'fr', zone: 'Europe/Paris' } as const

test('limits read as temperatures with their unit, and what did not change is left out', () => {
  const before = { limits: { temperatureMinC: 2, temperatureMaxC: 8, humidityMinPct: null, humidityMaxPct: null } }
  const after = { limits: { temperatureMinC: -20.25, temperatureMaxC: 8, humidityMinPct: null, humidityMaxPct: 60 } }
  expect(changesInWords(before, after, english)).toEqual([
    { name: 'Temperature, lowest', before: '2.0\u2009°C', after: '\u221220.25\u2009°C' },
    { name: 'Humidity, highest', before: null, after: '60\u2009%' },
  ])
  expect(changesInWords(before, after, french)[0]).toEqual({
    name: 'Température minimale',
    before: '2,0\u2009°C',
    after: '\u221220,25\u2009°C',
  })
})

test('instants read in the zone of the reader, which is named', () => {
  const change = (reader: typeof english | typeof french) =>
    changesInWords({ snoozedUntil: null }, { snoozedUntil: '2026-07-01T22:30:00.000Z' }, reader)[0]?.after
  expect(change(english)).toBe('1 Jul 2026, 23:30:00 GMT+1')
  expect(change(french)).toBe('2 juil. 2026, 00:30:00 UTC+2')
  // The hour that comes twice as summer time ends.
  const night = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map((at) => timeInWords(new Date(at), french))
  expect(night).toEqual(['25 oct. 2026, 02:30:00 UTC+2', '25 oct. 2026, 02:30:00 UTC+1'])
})

test('a name that only looks like an instant is told as it stands: an entry that cannot be read would hide the whole trail', () => {
  for (const name of ['2026-12-31T23:59:60Z', '2026-13-45T99:99:99Z', '2026-01-01T00:00:00+99:99'])
    expect(changesInWords({ name: 'Fridge' }, { name }, english)[0]?.after).toBe(name)
})

test('choices, durations, people, permissions and shapes read as words', () => {
  const said = (facts: Record<string, unknown>) =>
    changesInWords(null, facts, english).map(({ name, after }) => `${name}: ${after}`)
  expect(said({ visibility: 'private', severity: 'critical', notifyNormal: true })).toEqual([
    'Visibility: Private',
    'Severity: Critical',
    'Told when back to normal: yes',
  ])
  expect(said({ rule: { kind: 'value', delayMinutes: 10, geofenceIds: ['3'] }, wishedIntervalS: 600 })).toEqual([
    'Kind: Value',
    'Delay: 10 min',
    'Interval asked for: 10 min',
  ])
  expect(said({ rule: { kind: 'value', cumulative: { minutes: 60, window: '24h' } } })).toEqual([
    'Kind: Value',
    'Minutes in total – Minutes: 60 min',
    'Minutes in total – Window: any 24 h',
  ])
  expect(said({ schedule: { zone: 'UTC', days: [1, 7], from: '22:00', to: '06:00' } })[1]).toBe(
    'Armed – Days: Mon, Sun',
  )
  expect(
    said({ recipients: [{ userId: '1', name: 'Ann', address: null, channels: ['mail', 'sms'], unreachable: [] }] }),
  ).toEqual(['Recipients: Ann (Mail, SMS)'])
  expect(said({ devices: { view: true }, needs: 'users.addOrEdit' })).toEqual([
    'Permission needed: Users – Add/Edit',
    'Devices – View: yes',
  ])
  expect(said({ area: { kind: 'circle', centre: { lat: 6.5, lon: 3.25 }, radiusM: 250 } })).toEqual([
    'Area: circle of 250 m around 6.50000, 3.25000',
  ])
  expect(said({ locale: 'sw', country: 'KE' })).toEqual(['Language: Swahili', 'Country: Kenya'])
})

test('facts of shipments and signatures have the words of their screens', () => {
  const said = (facts: Record<string, unknown>) =>
    changesInWords(null, facts, english).map(({ name, after }) => `${name}: ${after}`)
  expect(
    said({ logistics: 'external', milestone: 'stuffed', meaning: 'approved', containers: ['MSKU9070323'] }),
  ).toEqual([
    'Milestone: Container loaded with goods',
    'Containers: MSKU9070323',
    'Meaning: Approved',
    'Logistics: External logistics',
  ])
  expect(changesInWords(null, { fields: ['originId', 'legs', 'setPointC'] }, { locale: 'fr', zone: 'UTC' })).toEqual([
    { name: 'Modifié', before: null, after: 'Origine, Trajets, Consigne (°C)' },
  ])
})

test('what nobody has words for yet is still told', () => {
  expect(changesInWords({ oddNewThing: 1 }, { oddNewThing: [{ a: 1 }] }, english)).toEqual([
    { name: 'Odd new thing', before: '1', after: '{"a":1}' },
  ])
  expect(targetInWords({ kind: 'device', name: 'Fridge' }, 'sw')).toBe('Kifaa: Fridge')
  expect(targetInWords({ kind: 'spaceship', name: 'X' }, 'en')).toBe('X')
  expect(targetInWords({ kind: 'role', name: 'staff' }, 'en')).toBe('Role: Staff')
  expect(actorInWords({ kind: 'system', name: 'provider' }, 'es')).toBe('El proveedor')
  expect(actorInWords({ kind: 'guest' }, 'es')).toBeNull()
})

// Entries hold what `present` makes of these: a field added there needs a name in four languages.
const recorded = {
  User,
  Company,
  Ppecb,
  Alarm,
  ValueRule,
  FenceRule,
  NoDataRule,
  Limits,
  Geofence,
  PointOfInterest,
  NotificationSettings,
}
const untold = new Set([
  'faults',
  'invitationEndsAt',
  'privateDevices',
  'privateDeviceCount',
  'createdAt',
  'updatedAt',
  'openTriggers',
  'lastTriggeredAt',
  'geofenceIds',
  'pointOfInterestIds',
])
test.each(Object.entries(recorded))('every field of %s that an entry may hold has a name', (_, schema) => {
  const fields = Object.keys(schema.shape).filter((field) => !untold.has(field))
  expect(fields.length).toBeGreaterThan(0)
  expect(fields.filter((field) => wordOr('en', `auditWords:fields.${field}`, '') === '')).toEqual([])
})
