import { z } from 'zod'
import { NewRecipient } from './alarm-recipients.ts'
import {
  AlarmRule,
  AlarmSchedule,
  alarmLimits,
  ConditionName,
  Cumulative,
  Severity,
  someTarget,
  targetNeeded,
} from './alarm-rules.ts'
import { Id, Instant, text } from './common.ts'

/** One firing that the rule would have had. */
export const BackTestFiring = z.object({
  deviceId: Id,
  deviceName: z.string(),
  condition: ConditionName,
  fence: z.string().nullable(),
  breachAt: Instant,
  openedAt: Instant,
  normalAt: Instant.nullable(),
  limit: z.number().nullable(),
  cumulative: Cumulative.nullable(),
  peak: z.number().nullable(),
})
export type BackTestFiring = z.infer<typeof BackTestFiring>
export const BackTestQuestion = z
  .strictObject({
    rule: AlarmRule,
    deviceIds: z.array(Id).max(alarmLimits.targets).default([]),
    groupIds: z.array(Id).max(alarmLimits.targets).default([]),
    schedule: AlarmSchedule.nullable().default(null),
    recipients: z.array(NewRecipient).max(alarmLimits.recipients).default([]),
    notifyNormal: z.boolean().default(false),
    name: text(80, 0).default(''),
    severity: Severity.default('warning'),
    days: z.number().int().min(1).max(90).default(30),
    /** Set to go on with a back-test that was not done: what the answer before gave. */
    cursor: z.string().max(200).optional(),
  })
  .refine(someTarget, targetNeeded)
export type BackTestQuestion = z.infer<typeof BackTestQuestion>
export const BackTest = z.object({
  from: Instant,
  to: Instant,
  devices: z.number().int(),
  /** Those of them with less than a day of readings in the window: that nothing fired says nothing of them. */
  short: z.number().int(),
  /** All of them, of which `firings` lists the newest 200. */
  count: z.number().int(),
  firings: z.array(BackTestFiring),
  smsUnits: z.number().int(),
  chatUnits: z.number().int(),
  mails: z.number().int(),
  /** 0 to 1; below 1 ask again with `cursor` and add up. */
  progress: z.number(),
  cursor: z.string().nullable(),
})
export type BackTest = z.infer<typeof BackTest>
