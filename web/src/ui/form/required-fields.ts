import type { z } from 'zod'

type Path = readonly (string | number)[]

/**
 * The fields that may not stay empty: those that the schema refuses once they are emptied, whatever else is typed. A choice that
 * began with a value cannot be emptied, and is none of them.
 */
export function requiredFields<V extends object>(
  { schema, toBody }: { schema: z.ZodType; toBody: (values: V) => unknown },
  values: V,
  initial: V,
): string[] {
  return leavesOf(values, []).flatMap((path) => {
    const name = path.join('.')
    const { issues } = parsed(schema, () => toBody(emptied(values, path) as V))
    const own = issues.find((issue) => `${issue.path.map(String).join('.')}.`.startsWith(`${name}.`))
    const isChoice = own?.code === 'invalid_value'
    return own && !(isChoice && valueAt(initial, path)) ? [name] : []
  })
}

/** Making a body of odd values may throw: that says nothing of the field. */
function parsed(schema: z.ZodType, bodyOf: () => unknown): { issues: readonly z.core.$ZodIssue[] } {
  try {
    return schema.safeParse(bodyOf()).error ?? { issues: [] }
  } catch {
    return { issues: [] }
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

function emptied(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return emptyOf(value)
  if (!isBranch(value)) return value
  const inner = emptied((value as Record<string | number, unknown>)[key], rest)
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner }
}

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) => (isBranch(inner) ? (inner as Record<string | number, unknown>)[key] : undefined),
    value,
  )
