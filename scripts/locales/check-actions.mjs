import { withoutComments } from '../sources.mjs'

/** The parts of an entry in the code, and the texts that they need. */
const PARTS = [
  [/\baction: '(\w+)\.(\w+)'/g, (feature, act) => [`audit:${feature}.${act}`, `audit:screen.features.${feature}`]],
  [/\{ kind: '(\w+)', id\b/g, (kind) => [`auditWords:targets.${kind}`]],
]

/**
 * Every act that the code writes to the audit trail has a sentence, its feature a name in the filter of the trail, and what it was
 * done to the name of its kind. `files` are [path, source]; `texts` a Map of `namespace:key` to text. Returns a line per fault.
 */
export function checkActions(files, texts) {
  const faults = new Set()
  for (const [path, source] of files.filter(([each]) => each.startsWith('server/src/'))) {
    const code = withoutComments(source)
    for (const [pattern, keysOf] of PARTS)
      for (const [, ...names] of code.matchAll(pattern))
        for (const key of keysOf(...names))
          if (!texts.has(key)) faults.add(`${path}: no text ${key} for the audit trail`)
  }
  return [...faults]
}
