import type { TriggerState } from '@isotherm/contract/triggers.ts'
import { CompiledQuery, type RawBuilder, type Selectable, sql } from 'kysely'
import {
  type Act,
  type ConditionName,
  conditions,
  type Fact,
  type Mark,
  type MarkCondition,
  states,
  type TimerEffect,
  type Transition,
  type TriggerEvent,
  type TriggerLife,
  transitions,
} from '../../domain/trigger-lifecycle.ts'
import { allRows } from '../../platform/db/rows.ts'
import type { AlarmTriggers } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { noteTriggerEvents } from '../events/note-events.ts'

const columnOf = {
  opened: 'opened_at',
  normal: 'normal_at',
  withdrawn: 'withdrawn_at',
  acknowledged: 'acknowledged_at',
  resolved: 'resolved_at',
  escalated: 'escalated_at',
} as const satisfies Record<Mark, string>

const marksText = ({ has, lacks }: MarkCondition, t: string): string =>
  [
    ...has.map((mark) => `${t}.${columnOf[mark]} is not null`),
    ...lacks.map((mark) => `${t}.${columnOf[mark]} is null`),
  ].join(' and ') || 'true'

/** Whether a trigger, `t`, meets a condition of the lifecycle. Plain text, for statements that are no kysely queries. */
export const isText = (name: ConditionName, t = 't'): string => marksText(conditions[name], t)
export const isSql = (name: ConditionName): RawBuilder<boolean> => sql.raw<boolean>(`(${isText(name)})`)

/** The state of a trigger `t`. */
export const stateSql: RawBuilder<TriggerState> = sql.raw<TriggerState>(
  `case ${states.map(([state, marks]) => `when ${marksText(marks, 't')} then '${state}'`).join(' ')} end`,
)

/** Instants of a trigger that people see, by its marks. */
export const markSql = (mark: Mark): RawBuilder<Date | null> => sql.raw(`t.${columnOf[mark]}`)

// An escalation that waits for the end of a snooze is at infinity, which the driver gives as a number.
const msOf = (at: Date | number | null) => (at === null ? null : Number(at))

/** A row as the lifecycle sees it. */
export const lifeOf = (row: Selectable<AlarmTriggers>): TriggerLife => ({
  marks: {
    opened: msOf(row.opened_at),
    normal: msOf(row.normal_at),
    withdrawn: msOf(row.withdrawn_at),
    acknowledged: msOf(row.acknowledged_at),
    resolved: msOf(row.resolved_at),
    escalated: msOf(row.escalated_at),
  },
  isShelved: row.shelved,
  remindAt: msOf(row.remind_at),
  escalateAt: msOf(row.escalate_at),
})

type MarkColumn = (typeof columnOf)[Mark]
/** An expression for each column that acts may change; marks only where they are asked for. */
export type LifeText = Record<'shelved' | 'remind_at' | 'escalate_at', string> & Partial<Record<MarkColumn, string>>

export const columnsOf = (t: string): LifeText => {
  const marks = Object.values(columnOf).map((column) => [column, `${t}.${column}`])
  return {
    ...{ shelved: `${t}.shelved`, remind_at: `${t}.remind_at`, escalate_at: `${t}.escalate_at` },
    ...Object.fromEntries(marks),
  }
}

/** The expressions that are not just the column of `t` itself, as `column = expression`. */
export const changesText = (next: LifeText, t: string): string[] => {
  const before: Record<string, string> = columnsOf(t)
  return Object.entries(next).flatMap(([column, text]) => (text === before[column] ? [] : `${column} = ${text}`))
}

const snoozedText = (now: string) => `coalesce(a.snoozed_until > ${now}, false)`

/** Whether alarm `a` is snoozed at a time. */
export const snoozedSql = (at: Date): RawBuilder<boolean> => sql<boolean>`coalesce(a.snoozed_until > ${at}, false)`

/** A fact about a trigger with these expressions and its alarm `a`. */
function factText(fact: Fact, { shelved, escalate_at }: LifeText, now: string): string {
  switch (fact) {
    case 'shelved':
      return shelved
    case 'notShelved':
      return `not ${shelved}`
    case 'snoozed':
      return snoozedText(now)
    case 'notSnoozed':
      return `not ${snoozedText(now)}`
    case 'fellDue':
      return `(${escalate_at} = 'infinity' or ${escalate_at} <= least(a.snoozed_until, ${now}))`
    case 'notifiesNormal':
      return 'a.notify_normal'
  }
}

function timerText(effect: TimerEffect, minutes: string, now: string): string {
  if (effect === 'waitsForSnooze') return `'infinity'::timestamptz`
  return effect === 'stops' ? 'null::timestamptz' : `${now} + a.${minutes} * interval '1 minute'`
}

/**
 * Gives a trigger of alarm `a` the effects of acts, one after the other, each where its condition holds. `before`: what it has now,
 * by default the columns of `t`.
 */
export function nextText(
  acts: readonly (readonly [Act, applies: string])[],
  now: string,
  before: LifeText = columnsOf('t'),
): LifeText {
  const next: LifeText = { ...before }
  for (const [act, applies] of acts) {
    const { sets = [], clears = [], shelf, remind, escalate }: Transition = transitions[act]
    const change = (column: keyof LifeText, after: string | undefined) => {
      if (after === undefined) return
      next[column] = applies === 'true' ? after : `case when ${applies} then ${after} else ${next[column]} end`
    }
    change('shelved', shelf && (shelf === 'ends' ? 'false' : snoozedText(now)))
    change('remind_at', remind && timerText(remind, 'reminder_minutes', now))
    change('escalate_at', escalate && timerText(escalate, 'escalate_minutes', now))
    for (const mark of sets) {
      const column = columnOf[mark]
      if (next[column] !== undefined) change(column, `coalesce(${before[column]}, ${now})`)
    }
    for (const mark of clears) if (next[columnOf[mark]] !== undefined) change(columnOf[mark], 'null::timestamptz')
  }
  return next
}

/** The kind of the event that an act may cause. */
export const eventOf = (act: Act): TriggerEvent | undefined => (transitions[act] as Transition).event?.kind

/** Whether people are told of an act on a trigger `t` of alarm `a`, by what the trigger has after it. */
function toldText(act: Act, now: string, after: LifeText = columnsOf('t')): string {
  const { event }: Transition = transitions[act]
  if (!event) return 'false'
  return ['a.archived_at is null', ...event.where.map((fact) => factText(fact, after, now))].join(' and ')
}

const now = '$1::timestamptz'

const whenText = (act: Act): string => {
  const { from, where = [] }: Transition = transitions[act]
  return [isText(from), ...where.map((fact) => factText(fact, columnsOf('t'), now))].join(' and ')
}

interface Rows {
  /** Statements before, as `name as (...),`. */
  first?: string
  /** The table of alarms `a`. */
  alarms?: string
  where: string
  /** Order, limit and how it locks. */
  rest?: string
  /** Expressions for triggers to which none of the acts applies; by default they stay. */
  otherwise?: Partial<LifeText>
  /** Further columns that change. */
  more?: readonly string[]
}

/**
 * Applies acts to triggers and writes the events that people are told of, in one statement: whoever comes second finds nothing.
 * A trigger takes the one of the acts whose condition it meets. $1 is the time.
 */
function statement(
  acts: readonly Act[],
  { first = '', alarms = 'alarms', where, rest = 'for no key update of t', otherwise, more = [] }: Rows,
) {
  const next = nextText(
    acts.map((act) => [act, whenText(act)] as const),
    now,
    { ...columnsOf('t'), ...otherwise },
  )
  const events = acts.flatMap((act) => {
    const told = toldText(act, now, nextText([[act, 'true']], now))
    return eventOf(act) ? `when ${whenText(act)} and ${told} then '${eventOf(act)}'` : []
  })
  const columns = Object.entries(next).map(([column, text]) => `${text} as ${column}`)
  const assigned = [...Object.keys(next).map((column) => `${column} = s.${column}`), ...more]
  return `with ${first}
steps as (select t.company_id, t.id, t.alarm_id, ${columns.join(', ')}, case ${events.join(' ') || 'when false then null::text'} end as event
  from alarm_triggers t join ${alarms} a on a.company_id = t.company_id and a.id = t.alarm_id
  where ${where} ${rest}),
written as (update alarm_triggers t set ${assigned.join(', ')} from steps s where t.company_id = s.company_id and t.id = s.id)
insert into alarm_events (company_id, kind, alarm_id, trigger_id, at)
select company_id, event, alarm_id, id, ${now} from steps where event is not null`
}

const run = async (tx: Tx, text: string, ...values: unknown[]): Promise<void> => {
  await tx.executeQuery(CompiledQuery.raw(text, values))
}

/** Steps of every company but sandboxes, whose clocks stand; or of one sandbox, $2, at what its clock says. */
type Whose = 'others' | 'sandbox'
const whoseText = {
  others: (t: string) => `not exists (select from sandbox_clocks k where k.company_id = ${t}.company_id)`,
  sandbox: (t: string) => `${t}.company_id = $2`,
}

const due = (column: string, whose: Whose) => ({
  where: `t.${column} <= ${now} and ${whoseText[whose]('t')}`,
  rest: `order by t.${column} limit 1000 for no key update of t skip locked`,
})
const remindersText = (whose: Whose) =>
  statement(['remind'], { ...due('remind_at', whose), otherwise: { remind_at: 'null::timestamptz' } })
const escalationsText = (whose: Whose) =>
  statement(['escalate', 'postpone'], {
    ...due('escalate_at', whose),
    otherwise: { escalate_at: 'null::timestamptz' },
  })
const snoozeEndText = (which: string) =>
  statement(['unshelve', 'resume'], {
    first: `woken as (select * from alarms where snoozed_until is not null and ${which} order by company_id, id for no key update),
ended as (update alarms set snoozed_until = null from woken w where alarms.company_id = w.company_id and alarms.id = w.id),`,
    alarms: 'woken',
    where: `(${whenText('unshelve')}) or (${whenText('resume')})`,
  })
const stepTexts = (whose: Whose) => [
  snoozeEndText(`snoozed_until <= ${now} and ${whoseText[whose]('alarms')}`),
  remindersText(whose),
  escalationsText(whose),
]
const dueTexts = { others: stepTexts('others'), sandbox: stepTexts('sandbox') }
const snoozesEndedText = snoozeEndText('company_id = $2 and id = any($3::int8[])')

/** Ends the snoozes that have run out, reminds and escalates, as far as it is time: of all companies but sandboxes. As pipeline. */
export async function takeDueSteps(tx: Tx, time: Date): Promise<void> {
  for (const text of dueTexts.others) await run(tx, text, time)
}

/** The same of a sandbox, at what its clock says. As pipeline. */
export async function takeStepsOfSandbox(tx: Tx, companyId: number, time: Date): Promise<void> {
  for (const text of dueTexts.sandbox) await run(tx, text, time, companyId)
}

/** Ends the snoozes of a company's alarms by hand: the same as when they run out at this time. */
export const endSnoozes = (tx: Tx, companyId: number, alarmIds: readonly string[], time: Date): Promise<void> =>
  run(tx, snoozesEndedText, time, companyId, alarmIds)

/** The act of a person, or of the system. */
export interface Handling {
  by: { id: string | null; name: string }
  note?: string | undefined
  now: Date
}

const handlingText = (act: 'acknowledge' | 'resolve' | 'close', which: string) => {
  const by = (mark: Mark) => `${mark}_by = case when t.${columnOf[mark]} is null then $3::jsonb else t.${mark}_by end`
  return statement([act], {
    where: `t.company_id = $2 and ${which} and ${whenText(act)}`,
    more: [
      ...transitions[act].sets.map(by),
      ...(act === 'resolve' ? ['resolved_peak = t.peak'] : []),
      'note = coalesce($5::text, t.note)',
    ],
  })
}
const handlingTexts = {
  acknowledge: handlingText('acknowledge', 't.id = any($4::int8[])'),
  resolve: handlingText('resolve', 't.id = any($4::int8[])'),
  close: handlingText('close', 't.alarm_id = any($4::int8[])'),
}

const handle =
  (act: keyof typeof handlingTexts) =>
  async (tx: Tx, companyId: number, ids: readonly string[], { by, note, now: time }: Handling): Promise<void> => {
    await run(tx, handlingTexts[act], time, companyId, JSON.stringify(by), ids, note || null)
    const type = act === 'acknowledge' ? 'alarm.acknowledged' : 'alarm.resolved'
    const handled = act === 'close' ? await closedJustNow(tx, companyId, ids, time) : ids
    await noteTriggerEvents(
      tx,
      handled.map((id) => ({ companyId, id, type })),
      time,
    )
  }

async function closedJustNow(tx: Tx, companyId: number, alarmIds: readonly string[], time: Date): Promise<string[]> {
  const rows = await allRows<{ id: string }>(tx)`select id from alarm_triggers
    where company_id = ${companyId} and alarm_id = any(${alarmIds}::int8[]) and resolved_at = ${time}`
  return rows.map(({ id }) => id)
}

/** Acknowledges or resolves triggers, as far as their state allows. */
export const writeHandled = { acknowledge: handle('acknowledge'), resolve: handle('resolve') }
/** Closes the triggers of deleted alarms. */
export const writeClosed = handle('close')

/** The kinds of events that a writer of triggers asks about, `e.kind`, and whether people are told of each. */
export const isNewsText = (acts: readonly Act[], time: string): string =>
  `case e.kind ${acts.map((act) => `when '${eventOf(act)}' then ${toldText(act, time)}`).join(' ')} end`
