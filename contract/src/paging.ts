import { z } from 'zod'
import { text } from './common.ts'

const whole = (fallback: number, max: number) => z.coerce.number().int().min(1).max(max).default(fallback)

/** The query of every list. Extend it: `Paging.extend({ status: ..., sort: z.enum(sorts) })`; a sort is `column` or `-column`. */
export const Paging = z.strictObject({
  page: whole(1, 1_000_000),
  perPage: whole(25, 200),
  search: text(100, 0).optional(),
})
export type Paging = z.infer<typeof Paging>

export const Meta = z.object({
  page: z.number().int(),
  perPage: z.number().int(),
  total: z.number().int(),
  pageCount: z.number().int(),
})
export type Meta = z.infer<typeof Meta>

/** The payload of a list: `{data, meta}`. */
export const pageOf = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), meta: Meta })

/** How many rows each value of a filter would leave, and all of them, with the search and the other filters as they are. */
export const FilterCounts = z.record(z.string(), z.record(z.string(), z.number().int()))
export type FilterCounts = z.infer<typeof FilterCounts>

/** The payload of a list whose filters are shown with their counts. */
export const countedPageOf = <T extends z.ZodType>(item: T) => pageOf(item).extend({ filterCounts: FilterCounts })

export const metaOf = (paging: { page: number; perPage: number }, total: number): Meta => ({
  page: paging.page,
  perPage: paging.perPage,
  total,
  pageCount: Math.max(1, Math.ceil(total / paging.perPage)),
})
