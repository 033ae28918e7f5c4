import type { z } from 'zod'

type Path = readonly (string | number)[]

interface Rule<V> {
  schema: z.ZodType
  toBody: (values: V) => unknown
}

/**
 * The fields that may not stay empty: those that the schema refuses once they are emptied, whatever else is typed. A choice that
 * began with a value cannot be emptied, and is none of them; one that can be taken back is null then.
 */
export function requiredFields<V extends object>(rule: Rule<V>, values: V, initial: V): string[] {
  return leavesOf(values, []).flatMap((path) => {
    const refusal = tryWith(rule, emptied(values, path, emptyOf) as V, path)?.refusal
    const isChoice = refusal?.code === 'invalid_value'
    if (!refusal || (isChoice && valueAt(initial, path))) return []
    const taken = tryWith(rule, emptied(values, path, () => null) as V, path)
    const isNullable = taken && !taken.refusal && (taken.sent ?? null) === null
    return isNullable ? [] : [path.join('.')]
  })
}

/** Returns what would be sent of a field, and why the schema refuses it; nothing where no body can be made: that says nothing of the field. */
function tryWith<V extends object>({ schema, toBody }: Rule<V>, values: V, path: Path) {
  const name = path.join('.')
  const isOwn = (issue: z.core.$ZodIssue) => `${issue.path.map(String).join('.')}.`.startsWith(`${name}.`)
  try {
    const body = toBody(values)
    return { sent: valueAt(body, path), refusal: schema.safeParse(body).error?.issues.find(isOwn) }
  } catch {
    return
  }
}

const isBranch = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype)

/** Where something is filled in. What is ticked is neither empty nor full. */
function leavesOf(value: unknown, path: Path): Path[] {
  if (typeof value === 'boolean') return []
  if (!isBranch(value)) return [path]
  const inner = Object.entries(value).filter(([, each]) => !Array.isArray(value) || isBranch(each))
  const leaves = inner.flatMap(([key, each]) => leavesOf(each, [...path, key]))
  return Array.isArray(value) ? [path, ...leaves] : leaves
}

const emptyOf = (value: unknown) =>
  Array.isArray(value)
    ? []
    : typeof value === 'string' || typeof value === 'number'
      ? ''
      : value === undefined
        ? value
        : null

function emptied(value: unknown, [key, ...rest]: Path, emptyOf: (value: unknown) => unknown): unknown {
  if (key === undefined) return emptyOf(value)
  if (!isBranch(value)) return value
  const inner = emptied((value as Record<string | number, unknown>)[key], rest, emptyOf)
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner }
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) => (isBranch(inner) ? (inner as Record<string | number, unknown>)[key] : undefined),
    value,
  )
