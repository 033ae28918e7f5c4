import type { TriggerComment } from '@isotherm/contract/triage.ts'
import type { Trigger } from '@isotherm/contract/triggers.ts'
import { measureOf } from './present-value.ts'
import { conditionValue, type Words } from './trigger-words.ts'

/** An act on a trigger, or a comment on it. */
export interface TimelineEvent {
  key: string
  at: string
  text: string
  comment?: TriggerComment
}

/** Acts and comments by their times, the newest last; `t` of namespace `triggers`. */
export function timelineOf(trigger: Trigger, comments: readonly TriggerComment[], t: Words): TimelineEvent[] {
  const { condition, assignee, assignedBy } = trigger
  const value = measureOf(condition) && conditionValue(condition, trigger.value)
  // The system closes what is left of a deleted alarm.
  const by = (who: Trigger['resolvedBy']) => (who?.id ? who.name : t('timeline.system'))
  const event = (key: string, at: string | null, text: string): TimelineEvent[] => (at ? [{ key, at, text }] : [])
  return [
    ...event('breach', trigger.breachAt, value ? t('timeline.outside', { value }) : t('timeline.began')),
    ...event('opened', trigger.openedAt, t('timeline.opened')),
    ...event('escalated', trigger.escalatedAt, t('timeline.escalated')),
    ...event('refired', trigger.refiredAt, t('timeline.refired')),
    ...event('acknowledged', trigger.acknowledgedAt, t('timeline.acknowledged', { name: by(trigger.acknowledgedBy) })),
    ...(assignee ? event('assigned', trigger.assignedAt, assignment(assignee, assignedBy, t)) : []),
    ...event('normal', trigger.normalAt, t('timeline.normal')),
    ...event('withdrawn', trigger.withdrawnAt, t('timeline.withdrawn')),
    ...event('resolved', trigger.resolvedAt, t('timeline.resolved', { name: by(trigger.resolvedBy) })),
    ...comments.map((comment) => ({ key: `comment ${comment.id}`, at: comment.at, text: comment.text, comment })),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

const assignment = (assignee: NonNullable<Trigger['assignee']>, by: Trigger['assignedBy'], t: Words) =>
  by && by.id !== assignee.id
    ? t('timeline.assigned', { by: by.name, name: assignee.name })
    : t('timeline.taken', { name: assignee.name })
