import { alarms } from '@isotherm/contract/alarms.ts'
import type { Period } from '@isotherm/contract/common.ts'
import { limits } from '@isotherm/contract/limits.ts'
import { type Trigger, triggerStates } from '@isotherm/contract/triggers.ts'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChartMark } from '../../../charts/model.ts'
import { useNow } from '../../../lib/now.ts'
import { useCall } from '../../../lib/query.ts'
import { happenedIn, type Words } from '../trigger-words.ts'

/** All that opened, whatever became of it. */
const opened = triggerStates.filter((state) => state !== 'pending').join(',')

/** Triggers as flags on a chart, at the instant they opened; those that never were are left out. */
export const marksOf = (triggers: readonly Trigger[], t: Words, now: number): ChartMark[] =>
  triggers.flatMap((trigger) =>
    trigger.openedAt && !trigger.withdrawnAt
      ? [{ at: Date.parse(trigger.openedAt), tone: trigger.severity, label: happenedIn(trigger, t, now) }]
      : [],
  )

interface TriggerMarksProps {
  deviceId: string
  period: Period
  /** Only of this alarm. */
  alarmId?: string
  children: (marks?: readonly ChartMark[]) => ReactNode
}

/** The flags of a device's triggers in a period, for those who may see alarms. */
export function TriggerMarks({ deviceId, period, alarmId, children }: TriggerMarksProps) {
  const { t, i18n } = useTranslation('triggers')
  const answer = useCall(
    alarms.triggers,
    { query: { ...period, device: deviceId, alarm: alarmId, states: opened, perPage: limits.maxPerPage } },
    { keepPrevious: true },
  )
  // Words that say how long it has lasted need no more than the minute.
  const minute = Math.floor(useNow() / 60_000)
  const triggers = answer.data?.data
  // biome-ignore lint/correctness/useExhaustiveDependencies: the language writes the labels
  const marks = useMemo(() => triggers && marksOf(triggers, t, minute * 60_000), [triggers, minute, t, i18n.language])
  return children(marks)
}
