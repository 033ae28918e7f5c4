import type { TriggerState } from '@isotherm/contract/triggers.ts'

/** A step of a trigger that leaves an instant behind. */
export type Mark = 'opened' | 'normal' | 'withdrawn' | 'acknowledged' | 'resolved' | 'escalated'
export type Marks = Partial<Record<Mark, number | null>>

/** Marks that a trigger must have, and marks that it must not have. */
export interface MarkCondition {
  has: readonly Mark[]
  lacks: readonly Mark[]
}

const condition = (has: readonly Mark[], ...lacks: readonly Mark[]): MarkCondition => ({ has, lacks })

/** The questions that code asks about triggers. */
export const conditions = {
  /** The engine judges it: it is pending, or its values are not back yet. */
  current: condition([], 'normal', 'withdrawn'),
  pending: condition([], 'opened', 'normal', 'withdrawn'),
  /** It opened and goes on, known or not. */
  lasting: condition(['opened'], 'normal', 'withdrawn', 'resolved'),
  /** It goes on and nobody has acknowledged it. */
  open: condition(['opened'], 'normal', 'withdrawn', 'resolved', 'acknowledged'),
  unacknowledged: condition(['opened'], 'acknowledged', 'resolved'),
  unresolved: condition(['opened'], 'resolved'),
  recorded: condition(['opened']),
  /** Somebody resolved it although its values are not back. */
  resolvedOutside: condition(['opened', 'resolved'], 'normal', 'withdrawn'),
  /** Its values are back. */
  recovered: condition(['opened', 'normal'], 'withdrawn'),
  notWithdrawn: condition([], 'withdrawn'),
} as const satisfies Record<string, MarkCondition>
export type ConditionName = keyof typeof conditions

/** The states of ISA-18.2 as people see them; the first row that fits decides. */
export const states: readonly (readonly [TriggerState, MarkCondition])[] = [
  ['resolved', condition(['resolved'])],
  ['pending', condition([], 'opened')],
  ['normal', condition(['normal'])],
  ['normal', condition(['withdrawn'])],
  ['acknowledged', condition(['acknowledged'])],
  ['open', condition([])],
]

/** A trigger as its life goes. Instants in ms since 1970. */
export interface TriggerLife {
  marks: Marks
  /** It opened during a snooze and nobody was told. */
  isShelved: boolean
  /** Null: no reminder is planned. */
  remindAt: number | null
  /** Null: no escalation is planned. Infinity: it fell due during a snooze and waits for the end of that. */
  escalateAt: number | null
}

/** The settings of an alarm that decide who is told of its triggers, and when. */
export interface AlarmSettings {
  isDeleted: boolean
  snoozedUntil: number | null
  notifyNormal: boolean
  reminderMinutes: number | null
  escalateMinutes: number | null
}

export type TriggerEvent = 'opened' | 'normal' | 'reminder' | 'escalated' | 'unsnoozed' | 'withdrawn' | 'worsened'
/** Effect on a planned message; one that is left out stays as it is. */
export type TimerEffect = 'stops' | 'starts' | 'waitsForSnooze'
/** Facts about a trigger and its alarm beyond the marks. `fellDue`: its escalation was due by the end of the snooze. */
export type Fact = 'shelved' | 'notShelved' | 'snoozed' | 'notSnoozed' | 'fellDue' | 'notifiesNormal'

export interface Transition {
  /** Without it nothing changes. */
  from: ConditionName
  /** More that must hold. */
  where?: readonly Fact[]
  /** Marks that it sets where they are not set yet. */
  sets?: readonly Mark[]
  /** Marks that it takes away. */
  clears?: readonly Mark[]
  shelf?: 'ends' | 'asSnoozed'
  remind?: TimerEffect
  escalate?: TimerEffect
  /** People are told where these facts hold after it, and the alarm was not deleted. */
  event?: { kind: TriggerEvent; where: readonly Fact[] }
}

const stopped = { remind: 'stops', escalate: 'stops' } as const
const known = { ...stopped, shelf: 'ends' } as const

/** All that can happen to a trigger. `core/alarms/trigger-sql.ts` makes its SQL of this table. */
export const transitions = {
  /** Its delay is over. During a snooze it is shelved: recorded, not told. */
  open: {
    from: 'pending',
    sets: ['opened'],
    shelf: 'asSnoozed',
    remind: 'starts',
    escalate: 'starts',
    event: { kind: 'opened', where: ['notShelved'] },
  },
  /** The values are normal again. A recipient who never heard of it does not hear that it is over. */
  recover: {
    from: 'recorded',
    sets: ['normal'],
    ...stopped,
    event: { kind: 'normal', where: ['notShelved', 'notifiesNormal'] },
  },
  /** Late data shows that it never was. */
  withdraw: {
    from: 'recorded',
    sets: ['withdrawn'],
    ...stopped,
    event: { kind: 'withdrawn', where: ['notShelved'] },
  },
  /** It was resolved while its values were outside, and they get worse (`isWorse`): it fires again, as if it opened now. */
  worsen: {
    from: 'resolvedOutside',
    clears: ['acknowledged', 'resolved', 'escalated'],
    shelf: 'asSnoozed',
    remind: 'starts',
    escalate: 'starts',
    event: { kind: 'worsened', where: ['notShelved'] },
  },
  /** Late data shows that its values are not back after all: it goes on, as if it opened now. */
  recur: {
    from: 'recovered',
    clears: ['normal', 'acknowledged', 'resolved', 'escalated'],
    shelf: 'asSnoozed',
    remind: 'starts',
    escalate: 'starts',
    event: { kind: 'opened', where: ['notShelved'] },
  },
  acknowledge: { from: 'unacknowledged', sets: ['acknowledged'], ...known },
  resolve: { from: 'unresolved', sets: ['acknowledged', 'resolved'], ...known },
  /** Its alarm is deleted. */
  close: { from: 'unresolved', sets: ['resolved'], ...stopped },
  /** A reminder is due. During a snooze it is left out. */
  remind: { from: 'open', remind: 'starts', event: { kind: 'reminder', where: ['notSnoozed'] } },
  /** Nobody acknowledged in time. */
  escalate: {
    from: 'open',
    where: ['notSnoozed'],
    sets: ['escalated'],
    escalate: 'stops',
    event: { kind: 'escalated', where: [] },
  },
  /** The same during a snooze: the escalation comes after it, because nobody has acknowledged meanwhile. */
  postpone: { from: 'open', where: ['snoozed'], escalate: 'waitsForSnooze' },
  /** The snooze of its alarm ends, by hand or by time: people are told now, and have the whole time before it escalates. */
  unshelve: {
    from: 'open',
    where: ['shelved'],
    shelf: 'ends',
    escalate: 'starts',
    event: { kind: 'unsnoozed', where: [] },
  },
  /** The same for a trigger that people were told of before the snooze. */
  resume: { from: 'open', where: ['notShelved', 'fellDue'], escalate: 'starts' },
} as const satisfies Record<string, Transition>
export type Act = keyof typeof transitions

export const meets = (marks: Marks, { has, lacks }: MarkCondition): boolean =>
  has.every((mark) => isSet(marks, mark)) && !lacks.some((mark) => isSet(marks, mark))

const isSet = (marks: Marks, mark: Mark) => (marks[mark] ?? null) !== null

export const stateOf = (marks: Marks): TriggerState => states.find(([, each]) => meets(marks, each))?.[0] ?? 'open'

/** Settings that plan no messages: acts of people need no others. */
const tellsNothing: AlarmSettings = {
  isDeleted: false,
  snoozedUntil: null,
  notifyNormal: false,
  reminderMinutes: null,
  escalateMinutes: null,
}

/** A trigger after an act, and the event that people are told of; null where the act changes nothing. */
export function apply(
  act: Act,
  life: TriggerLife,
  now: number,
  alarm: AlarmSettings = tellsNothing,
): { life: TriggerLife; event: TriggerEvent | null } | null {
  const { from, where = [], sets = [], clears = [], shelf, remind, escalate, event }: Transition = transitions[act]
  const isTrue = (of: TriggerLife) => (fact: Fact) => holds(fact, of, alarm, now)
  if (!meets(life.marks, conditions[from]) || !where.every(isTrue(life))) return null
  const marks = { ...life.marks }
  for (const mark of sets) marks[mark] ??= now
  for (const mark of clears) marks[mark] = null
  const isSnoozed = holds('snoozed', life, alarm, now)
  const after: TriggerLife = {
    marks,
    isShelved: shelf === 'asSnoozed' ? isSnoozed : shelf === 'ends' ? false : life.isShelved,
    remindAt: timer(remind, life.remindAt, alarm.reminderMinutes, now),
    escalateAt: timer(escalate, life.escalateAt, alarm.escalateMinutes, now),
  }
  const isNews = event !== undefined && !alarm.isDeleted && event.where.every(isTrue(after))
  return { life: after, event: isNews ? event.kind : null }
}

const minuteMs = 60_000

function timer(effect: TimerEffect | undefined, before: number | null, minutes: number | null, now: number) {
  if (effect === undefined) return before
  if (effect === 'waitsForSnooze') return Number.POSITIVE_INFINITY
  return effect === 'stops' || minutes === null ? null : now + minutes * minuteMs
}

function holds(fact: Fact, { isShelved, escalateAt }: TriggerLife, alarm: AlarmSettings, now: number): boolean {
  const { snoozedUntil, notifyNormal } = alarm
  switch (fact) {
    case 'shelved':
      return isShelved
    case 'notShelved':
      return !isShelved
    case 'snoozed':
      return snoozedUntil !== null && snoozedUntil > now
    case 'notSnoozed':
      return snoozedUntil === null || snoozedUntil <= now
    case 'fellDue':
      return (
        escalateAt !== null &&
        (escalateAt === Number.POSITIVE_INFINITY || escalateAt <= Math.min(snoozedUntil ?? now, now))
      )
    case 'notifiesNormal':
      return notifyNormal
  }
}
