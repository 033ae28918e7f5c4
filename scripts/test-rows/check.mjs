/** A statement that makes a row which a factory makes. */
const INSERT =
  /\binsert into (?:only )?(devices|device_limits|alarms|alarm_triggers)\b|insertInto\(\s*'(devices|device_limits|alarms|alarm_triggers)'/g

/**
 * Checks that tests and benches make devices, limits, alarms and triggers by the factories of `server/test`, which write what the
 * product writes beside them: change events, the trail, keys.
 * @param {Map<string, string>} files text by path in the repository
 * @param {Record<string, string>} exceptions reason by path
 * @returns {string[]} a line per fault
 */
export function checkTestRows(files, exceptions) {
  const found = new Map(
    [...files].map(([path, text]) => [path, tablesIn(text)]).filter(([, tables]) => tables.length > 0),
  )
  return [
    ...[...found]
      .filter(([path]) => !(path in exceptions))
      .map(
        ([path, tables]) =>
          `${path} inserts ${tables.join(', ')}: use the factories (server/test), or give a reason in scripts/test-rows/exceptions.mjs`,
      ),
    ...Object.keys(exceptions)
      .filter((path) => !found.has(path))
      .map((path) => `${path} inserts none of these tables: take it off scripts/test-rows/exceptions.mjs`),
  ]
}

const tablesIn = (text) => [...new Set([...text.matchAll(INSERT)].map(([, written, built]) => written ?? built))]
