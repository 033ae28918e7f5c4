import { readImports } from './read-imports.mjs'
import { resolveImport } from './rules.mjs'

const WRITER = /\bnew URL\(\s*'(\.[^']*\b(?:layout|write-\w+)\.ts)',\s*import\.meta\.url\s*\)/g
const builder = 'kysely'

/**
 * Finds writers of reports that load the builder of queries: each report has a process of its own, which would wait for some 260 modules
 * that it has no use for. Resolves with one line for each fault.
 */
export function checkWriters(files) {
  const named = new Set()
  for (const [path, text] of files) {
    if (!/^server\/src\/(features|reporting)\//.test(path) || /\.test\.ts$/.test(path)) continue
    for (const [, specifier] of text.matchAll(WRITER)) named.add(resolveImport(path, specifier))
  }
  return [...named].flatMap((path) => {
    const way = wayToBuilder(files, path)
    return way ? [`${path} writes a report, and loads ${way.join(' -> ')}`] : []
  })
}

/** The modules between this one and the builder, the nearest way; null where it is not loaded. */
function wayToBuilder(files, from) {
  const known = new Set([from])
  for (let ways = [[from]]; ways.length > 0; ) {
    const further = []
    for (const way of ways)
      for (const { specifier, type } of readImports(files.get(way.at(-1)) ?? '')) {
        if (type) continue
        if (specifier === builder) return [...way.slice(1), builder]
        const target = resolveImport(way.at(-1), specifier)
        if (!target || known.has(target)) continue
        known.add(target)
        further.push([...way, target])
      }
    ways = further
  }
  return null
}
