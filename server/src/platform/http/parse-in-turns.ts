import { z } from 'zod'
import { Turns } from '../loop/turns.ts'

type Issue = z.core.$ZodIssue
export type Parsed = { data: unknown; issues: readonly Issue[] }

const longList = 500
const maxPerTurn = 50
// After mending these, the caller sends the rest again.
const maxIssues = 200

/**
 * Parses a body. Where it has a list of more than 500 items, those are parsed in turns: 20,000 objects at once would hold the event
 * loop for most of a second. Gives up after 200 mistakes in a list.
 */
export async function parseInTurns(schema: z.ZodType, value: unknown): Promise<Parsed> {
  const list = longListOf(schema, value)
  if (!list) {
    const { data, error } = schema.safeParse(value)
    return { data, issues: error?.issues ?? [] }
  }
  const { name, item, items } = list
  const data: unknown[] = []
  const issues: Issue[] = []
  const turns = new Turns()
  for (const [i, one] of items.entries()) {
    const parsed = item.safeParse(one)
    if (parsed.success) data.push(parsed.data)
    else issues.push(...parsed.error.issues.map((issue) => ({ ...issue, path: [name, i, ...issue.path] })))
    if (issues.length >= maxIssues) break
    if (i % maxPerTurn === 0 && turns.isOver) await turns.next()
  }
  // The other fields, beside a few items that are known to be right.
  const rest = schema.safeParse({ ...(value as object), [name]: issues.length === 0 ? items.slice(0, list.least) : [] })
  if (issues.length === 0 && rest.success) return { data: { ...(rest.data as object), [name]: data }, issues: [] }
  return { data: undefined, issues: [...(rest.error?.issues ?? []).filter(({ path }) => path[0] !== name), ...issues] }
}

interface LongList {
  name: string
  item: z.ZodType
  items: unknown[]
  /** How many items the list must have. */
  least: number
}

/** The first long list among the fields, where nothing but its length depends on the items together. */
function longListOf(schema: z.ZodType, value: unknown): LongList | null {
  if (!(schema instanceof z.ZodObject) || (schema.def.checks ?? []).length > 0) return null
  for (const [name, field] of Object.entries(schema.shape)) {
    const items = (value as Record<string, unknown> | null)?.[name]
    if (!(field instanceof z.ZodArray) || !Array.isArray(items) || items.length <= longList) continue
    const length = lengthOf(field)
    if (length && items.length >= length.least && items.length <= length.most)
      return { name, item: field.element as z.ZodType, items, least: length.least }
  }
  return null
}

/** How long a list may be; null where something else is asked of it, too. */
function lengthOf(list: z.ZodArray): { least: number; most: number } | null {
  const length = { least: 0, most: Number.POSITIVE_INFINITY }
  for (const check of list.def.checks ?? []) {
    const def = check._zod.def as { check: string; minimum?: number; maximum?: number }
    if (def.check === 'min_length') length.least = def.minimum ?? 0
    else if (def.check === 'max_length') length.most = def.maximum ?? 0
    else return null
  }
  return length
}
