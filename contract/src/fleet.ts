import { z } from 'zod'
import { Id, Instant } from './common.ts'
import { Judgement, Limits } from './device-limits.ts'

const Columns = <T extends z.ZodType>(item: T) => z.array(item)

/**
 * Every device the caller may see but the decommissioned, as columns of equal length: thousands in one answer. A null is a
 * value that is not known, or hidden because the licence lapsed.
 */
export const Fleet = z.object({
  at: Instant,
  ids: Columns(Id),
  names: Columns(z.string()),
  /** Index into `tagNames`. */
  tags: Columns(z.number().int().nullable()),
  tagNames: z.array(z.string()),
  imeis: Columns(z.string().nullable()),
  /** Index into `deviceStatuses`. */
  statuses: Columns(z.number().int()),
  /** 1 where an excursion is open. */
  out: Columns(z.number().int()),
  /** Index into `fleetJudgements`, of the latest temperature and humidity. */
  temperature: Columns(z.number().int().nullable()),
  humidity: Columns(z.number().int().nullable()),
  /** Index into `limitSets`: the limits of now, which judge what is pushed after this answer. */
  limits: Columns(z.number().int().nullable()),
  limitSets: z.array(Limits),
  temperatureC: Columns(z.number().nullable()),
  humidityPct: Columns(z.number().nullable()),
  /** Seconds before `at` of the latest reading, and of the fix. */
  ageS: Columns(z.number().int().nullable()),
  lat: Columns(z.number().nullable()),
  lon: Columns(z.number().nullable()),
})
export type Fleet = z.infer<typeof Fleet>
export const fleetJudgements = Judgement.options
