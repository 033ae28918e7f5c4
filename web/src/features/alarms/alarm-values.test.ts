import { type Alarm, AlarmChange, NewAlarm } from '@isotherm/contract/alarms.ts'
import { expect, test } from 'vitest'
import { changeOf, newAlarmOf, newValues, recipientLine, recipientOf, valuesOfAlarm } from './alarm-values.ts'
import { buildAlarm } from './test/build-alarm.ts'

const fresh = () => newValues({ id: '7', name: 'Amina' }, 'Africa/Lagos')
const device = { id: '5', name: 'Van 3' }

test('a new form with a device is an alarm the server takes', () => {
  const body = newAlarmOf({ ...fresh(), name: 'Too warm', devices: [device] })
  expect(NewAlarm.safeParse(body).success).toBe(true)
  expect(body.recipients).toEqual([{ userId: '7', channels: ['app', 'mail'] }])
  expect(body.escalateMinutes).toBeNull()
})

test('without a device, a limit or a number that is needed it is not', () => {
  const wrong = (over: object) => NewAlarm.safeParse(newAlarmOf({ ...fresh(), name: 'x', devices: [device], ...over }))
  expect(wrong({ devices: [] }).success).toBe(false)
  expect(wrong({ value: { ...fresh().value, temperatureMaxC: '' } }).success).toBe(false)
  expect(wrong({ kind: 'noData', afterMinutes: '' }).success).toBe(false)
  expect(wrong({ kind: 'fence' }).success).toBe(false)
})

test('limits the wrong way round are pointed out at their field', () => {
  const found = NewAlarm.safeParse(
    newAlarmOf({ ...fresh(), name: 'x', devices: [device], value: { ...fresh().value, temperatureMinC: 9 } }),
  )
  expect(found.error?.issues.map(({ path }) => path.join('.'))).toEqual(['rule.temperatureMaxC'])
})

test('an alarm comes through the form unchanged', () => {
  const alarm = buildAlarm({
    rule: { kind: 'fence', direction: 'both', geofenceIds: ['3'], pointOfInterestIds: ['4'], dwellMinutes: 5 },
    escalation: [
      {
        ...{ userId: null, rotaId: null, onCall: null, name: null, address: '+2348012345678' },
        ...{ channels: ['sms'], unreachable: [], hearsPrivate: false },
      },
      {
        ...{ userId: null, rotaId: '9', onCall: 'Amina', name: 'Nights', address: null },
        ...{ channels: ['app', 'mail'], unreachable: [], hearsPrivate: true },
      },
    ],
    escalateMinutes: 20,
    schedule: { zone: 'Africa/Lagos', days: [1, 3], from: '22:00', to: '06:00' },
  })
  const values = valuesOfAlarm(alarm, 'UTC')
  const body = newAlarmOf(values)
  expect(body.rule).toEqual(alarm.rule)
  expect(body.schedule).toEqual(alarm.schedule)
  expect(body.escalation).toEqual([
    { phone: '+2348012345678', channels: ['sms'] },
    { rotaId: '9', channels: ['app', 'mail'] },
  ])
  expect(changeOf(values, values)).toEqual({})
})

test('minutes in total come through the form unchanged, without the delay and the battery that are not on it', () => {
  const rule = { ...buildAlarm().rule, delayMinutes: 0, cumulative: { minutes: 45, window: 'record' } } as const
  const values = valuesOfAlarm(buildAlarm({ rule: rule as Alarm['rule'] }), 'UTC')
  expect(newAlarmOf(values).rule).toEqual(rule)
  const switched = { ...values, value: { ...values.value, delayMinutes: 10, batteryMinPct: 20 } as const }
  expect(newAlarmOf(switched).rule).toEqual(rule)
  expect(newAlarmOf({ ...switched, counting: 'row' }).rule).toMatchObject({
    delayMinutes: 10,
    batteryMinPct: 20,
    cumulative: null,
  })
})

test('a change sends what differs, and escalation whole', () => {
  const start = valuesOfAlarm(buildAlarm(), 'UTC')
  expect(changeOf({ ...start, name: 'Warm' }, start)).toEqual({ name: 'Warm' })
  const escalating = { ...start, escalates: true, escalation: start.recipients }
  const change = changeOf(escalating, start)
  expect(change).toEqual({ escalation: [{ userId: '7', channels: ['app', 'mail'] }], escalateMinutes: 30 })
  expect(AlarmChange.safeParse(change).success).toBe(true)
  expect(changeOf(start, escalating)).toEqual({ escalation: [], escalateMinutes: null })
})

test('addresses are sent as their kind, numbers without what people put between', () => {
  const line = (kind: 'email' | 'phone' | 'webhook', address: string) =>
    recipientOf(
      recipientLine({ kind, userId: null, rotaId: null, name: '', address, channels: kind === 'phone' ? ['sms'] : [] }),
    )
  expect(line('email', ' a@b.test ')).toEqual({ email: 'a@b.test' })
  expect(line('phone', '+234 (801) 234-5678')).toEqual({ phone: '+2348012345678', channels: ['sms'] })
  expect(line('webhook', 'https://hooks.test/x')).toEqual({ webhook: 'https://hooks.test/x' })
})
