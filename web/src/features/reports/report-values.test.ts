import type { Report } from '@isotherm/contract/reports.ts'
import { expect, test } from 'vitest'
import { differing } from '../../lib/save-change.ts'
import { bodyOf, newValues, valuesOf } from './report-values.ts'

const report: Report = {
  id: '4',
  name: 'Fleet',
  cadence: 'monthly',
  weekday: 1,
  monthDay: 31,
  time: '06:30',
  timezone: 'Africa/Lagos',
  devices: [{ id: '7', name: 'Van 3' }],
  groups: [{ id: '2', name: 'North' }],
  contents: ['stats'],
  formats: ['csv'],
  recipients: [
    { userId: '5', name: 'Amina', email: 'amina@example.test', hearsPrivate: true },
    { userId: null, name: null, email: 'boss@example.test', hearsPrivate: false },
  ],
  privateDevices: [],
  privateDeviceCount: 0,
  locale: 'fr',
  faults: [],
  paused: false,
  nextRunAt: null,
  nextPeriod: null,
  lastRun: null,
  owner: 'Amina',
  createdAt: '2026-11-21T08:00:00Z',
  updatedAt: '2026-11-21T08:00:00Z',
  version: 1,
}

test('what is saved again unchanged changes nothing', () => {
  const body = bodyOf(valuesOf(report))
  expect(body.recipients).toEqual([{ userId: '5' }, { email: 'boss@example.test' }])
  expect(differing(body, bodyOf(valuesOf(report)))).toEqual({})
})

test('only what was changed is sent: a device that is gone meanwhile is not chosen anew', () => {
  const before = bodyOf(valuesOf(report))
  expect(differing(before, bodyOf({ ...valuesOf(report), name: 'Fleet, monthly', addresses: [] }))).toEqual({
    name: 'Fleet, monthly',
    recipients: [{ userId: '5' }],
  })
})

test('a new report comes on Monday at seven by the clock of who makes it', () => {
  expect(bodyOf(newValues('Asia/Kolkata', 'sw', true))).toMatchObject({
    cadence: 'weekly',
    weekday: 1,
    time: '07:00',
    timezone: 'Asia/Kolkata',
    locale: 'sw',
    formats: ['pdf'],
  })
})
