import { describe, expect, test } from 'vitest'
import { type Act, type AlarmSettings, apply, stateOf, type TriggerLife } from './trigger-lifecycle.ts'

const minute = 60_000
const now = 100 * minute
const alarm: AlarmSettings = {
  isDeleted: false,
  snoozedUntil: null,
  notifyNormal: true,
  reminderMinutes: 30,
  escalateMinutes: 5,
}
const snoozed = { ...alarm, snoozedUntil: now + 60 * minute }
const pending: TriggerLife = { marks: {}, isShelved: false, remindAt: null, escalateAt: null }
const open: TriggerLife = { ...pending, marks: { opened: 90 * minute }, remindAt: now, escalateAt: now }
const with_ = (...marks: ('normal' | 'withdrawn' | 'acknowledged' | 'resolved')[]): TriggerLife => ({
  ...open,
  marks: { ...open.marks, ...Object.fromEntries(marks.map((mark) => [mark, 95 * minute])) },
})
const shelved = { ...open, isShelved: true }

const lives = {
  pending,
  open,
  shelved,
  acknowledged: with_('acknowledged'),
  normal: with_('normal'),
  withdrawn: with_('withdrawn'),
  resolved: with_('acknowledged', 'resolved'),
  'known and normal': with_('acknowledged', 'normal'),
  'waiting for the snooze': { ...open, escalateAt: Number.POSITIVE_INFINITY },
} satisfies Record<string, TriggerLife>

/** State, shelf, minutes until reminder and escalation, event; null where nothing changes. */
function seen(life: TriggerLife, act: Act, settings = alarm) {
  const after = apply(act, life, now, settings)
  if (!after) return null
  const { marks, isShelved, remindAt, escalateAt } = after.life
  const minutes = (at: number | null) => at && (at - now) / minute
  return [stateOf(marks), isShelved, minutes(remindAt), minutes(escalateAt), after.event]
}

test.each([
  ['pending', 'pending'],
  ['open', 'open'],
  ['shelved', 'open'],
  ['acknowledged', 'acknowledged'],
  ['normal', 'normal'],
  ['withdrawn', 'normal'],
  ['known and normal', 'normal'],
  ['resolved', 'resolved'],
] as const)('a trigger that is %s is shown as %s', (life, state) => {
  expect(stateOf(lives[life].marks)).toBe(state)
})

describe('each act leads from the states that it may, and from no other', () => {
  const from: Record<Act, (keyof typeof lives)[]> = {
    open: ['pending'],
    recover: [
      'open',
      'shelved',
      'acknowledged',
      'normal',
      'withdrawn',
      'resolved',
      'known and normal',
      'waiting for the snooze',
    ],
    withdraw: [
      'open',
      'shelved',
      'acknowledged',
      'normal',
      'withdrawn',
      'resolved',
      'known and normal',
      'waiting for the snooze',
    ],
    worsen: ['resolved'],
    recur: ['normal', 'known and normal'],
    acknowledge: ['open', 'shelved', 'normal', 'withdrawn', 'waiting for the snooze'],
    resolve: ['open', 'shelved', 'acknowledged', 'normal', 'withdrawn', 'known and normal', 'waiting for the snooze'],
    close: ['open', 'shelved', 'acknowledged', 'normal', 'withdrawn', 'known and normal', 'waiting for the snooze'],
    remind: ['open', 'shelved', 'waiting for the snooze'],
    escalate: ['open', 'shelved', 'waiting for the snooze'],
    postpone: [],
    unshelve: ['shelved'],
    resume: ['open', 'waiting for the snooze'],
  }
  test.each(Object.keys(from) as Act[])('%s', (act) => {
    const names = Object.keys(lives) as (keyof typeof lives)[]
    expect(names.filter((name) => apply(act, lives[name], now, alarm) !== null)).toEqual(from[act])
  })
})

describe('what an act makes of a trigger', () => {
  test.each<[Act, TriggerLife, AlarmSettings, unknown]>([
    ['open', pending, alarm, ['open', false, 30, 5, 'opened']],
    ['open', pending, snoozed, ['open', true, 30, 5, null]],
    [
      'open',
      pending,
      { ...alarm, reminderMinutes: null, escalateMinutes: null },
      ['open', false, null, null, 'opened'],
    ],
    ['recover', open, alarm, ['normal', false, null, null, 'normal']],
    ['recover', open, { ...alarm, notifyNormal: false }, ['normal', false, null, null, null]],
    // Those who got the alarm hear that it is over, snoozed since or not.
    ['recover', open, snoozed, ['normal', false, null, null, 'normal']],
    ['recover', shelved, snoozed, ['normal', true, null, null, null]],
    ['withdraw', open, { ...alarm, notifyNormal: false }, ['normal', false, null, null, 'withdrawn']],
    ['withdraw', shelved, alarm, ['normal', true, null, null, null]],
    ['withdraw', open, { ...alarm, isDeleted: true }, ['normal', false, null, null, null]],
    // It fires again as if it opened: whoever acknowledged and resolved it did so before it got worse.
    ['worsen', lives.resolved, alarm, ['open', false, 30, 5, 'worsened']],
    ['worsen', lives.resolved, snoozed, ['open', true, 30, 5, null]],
    ['worsen', lives.resolved, { ...alarm, isDeleted: true }, ['open', false, 30, 5, null]],
    // People took it for over: whoever knew of it did so of what was before.
    ['recur', lives.normal, alarm, ['open', false, 30, 5, 'opened']],
    ['recur', with_('acknowledged', 'resolved', 'normal'), alarm, ['open', false, 30, 5, 'opened']],
    ['recur', lives['known and normal'], snoozed, ['open', true, 30, 5, null]],
    ['acknowledge', shelved, alarm, ['acknowledged', false, null, null, null]],
    ['acknowledge', lives.normal, alarm, ['normal', false, null, null, null]],
    ['resolve', shelved, alarm, ['resolved', false, null, null, null]],
    ['close', shelved, alarm, ['resolved', true, null, null, null]],
    ['remind', open, alarm, ['open', false, 30, 0, 'reminder']],
    ['remind', open, snoozed, ['open', false, 30, 0, null]],
    ['escalate', open, alarm, ['open', false, 0, null, 'escalated']],
    ['postpone', open, snoozed, ['open', false, 0, Number.POSITIVE_INFINITY, null]],
    ['unshelve', shelved, alarm, ['open', false, 0, 5, 'unsnoozed']],
    ['resume', lives['waiting for the snooze'], alarm, ['open', false, 0, 5, null]],
  ])('%s', (act, life, settings, expected) => {
    expect(seen(life, act, settings)).toEqual(expected)
  })

  test('an escalation of a snoozed alarm is postponed, of any other it goes out', () => {
    expect(apply('escalate', open, now, snoozed)).toBeNull()
    expect(apply('postpone', open, now, alarm)).toBeNull()
  })

  test('an escalation that was not due by the end of the snooze keeps its time', () => {
    const later = { ...open, escalateAt: now + 20 * minute }
    expect(apply('resume', later, now, snoozed)).toBeNull()
    // The server was away as the snooze ran out: what fell due after its end is due now.
    const ended = { ...alarm, snoozedUntil: now - 20 * minute }
    expect(apply('resume', { ...open, escalateAt: now - 10 * minute }, now, ended)).toBeNull()
    expect(apply('resume', { ...open, escalateAt: now - 30 * minute }, now, ended)?.life.escalateAt).toBe(
      now + 5 * minute,
    )
  })

  test('the first name and instant stay', () => {
    const known = with_('acknowledged')
    expect(apply('resolve', known, now)?.life.marks).toEqual({ ...known.marks, resolved: now })
  })
})
