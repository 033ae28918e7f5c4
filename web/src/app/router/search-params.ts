/** The search parameters of every list. */
const list = ['search', 'sort', 'page', 'perPage'] as const
/** The search parameters of a chosen period. */
export const period = ['period', 'from', 'to'] as const

/**
 * The search parameters a screen knows, each a text that may be absent; others are dropped. A link to the screen with any other
 * parameter does not compile.
 */
export const params =
  <const N extends string>(...names: readonly N[]) =>
  (given: Record<string, unknown>): { [K in N]?: string } =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = given[name]
        return value === undefined || value === null ? [] : [[name, String(value)]]
      }),
    ) as { [K in N]?: string }

/** Those of a list, with the names of its filters. */
export const listParams = <const N extends string>(...filters: readonly N[]) =>
  params<(typeof list)[number] | N>(...list, ...filters)
