import { useMemo, useState } from 'react'

export interface Selection {
  ids: ReadonlySet<string>
  has(id: string): boolean
  toggle(id: string): void
  /** Selects all of these, or none of them when all are selected already. */
  toggleAll(ids: string[]): void
  /** Takes these out of the selection, those that are in it. */
  drop(ids: readonly string[]): void
  clear(): void
}

/**
 * The rows somebody has ticked, by id; they stay ticked from page to page. Hand it to <ListView selection bulkActions>.
 * @public
 */
export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  return useMemo(
    () => ({
      ids,
      has: (id) => ids.has(id),
      toggle: (id) => setIds((before) => symmetric(before, [id])),
      toggleAll: (all) =>
        setIds((before) => {
          const every = all.every((id) => before.has(id))
          const next = new Set(before)
          for (const id of all) every ? next.delete(id) : next.add(id)
          return next
        }),
      drop: (gone) => setIds((before) => new Set([...before].filter((id) => !gone.includes(id)))),
      clear: () => setIds(new Set()),
    }),
    [ids],
  )
}

function symmetric(before: ReadonlySet<string>, changed: string[]) {
  const next = new Set(before)
  for (const id of changed) if (!next.delete(id)) next.add(id)
  return next
}
