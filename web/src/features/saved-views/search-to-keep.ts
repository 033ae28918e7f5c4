import type { UrlSearch } from '../../lib/url-search.ts'

/** The parts of a screen's address that a view keeps: neither the page nor what is open beside the list. */
export const searchToKeep = (search: UrlSearch): Record<string, string> =>
  Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) =>
      value === undefined || name === 'page' || name === 'trigger' ? [] : [[name, value]],
    ),
  )
