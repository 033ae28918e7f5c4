import { readImports } from './read-imports.mjs'
import { judge, resolveImport } from './rules.mjs'

/**
 * Checks modules, given as a Map from repository path to text, against the one-way rules of docs/architecture.md and for
 * circles, also of types: two modules that need each other's types are one thought in two files. Resolves with one line for each fault.
 */
export function checkImports(files) {
  const faults = []
  const graph = new Map()
  for (const [path, text] of files) {
    const loaded = []
    for (const found of readImports(text)) {
      const fault = judge(path, found)
      if (fault) faults.push(`${path}:${found.line} ${fault}`)
      const target = resolveImport(path, found.specifier)
      if (target && files.has(target)) loaded.push(target)
    }
    graph.set(path, loaded)
  }
  return [...faults, ...circles(graph).map((circle) => `circle: ${circle.join(' -> ')}`)]
}

/** Each circle once, at its first way round: depth-first, a step back onto the current path closes one. */
function circles(graph) {
  const done = new Set()
  const found = []
  const visit = (path, trail) => {
    const at = trail.indexOf(path)
    if (at >= 0) return found.push([...trail.slice(at), path])
    if (done.has(path)) return
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
  return found
}
