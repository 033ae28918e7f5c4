import { withoutComments } from '../sources.mjs'

/** A statement of kysely or of SQL that writes, with the name of its table. */
const WRITE =
  /(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)'|\b(?:insert into|update|delete from|merge into)\s+(?:only )?(\w+)/g

/** A statement that reads, with the name of its table. */
const READ = /(?:selectFrom|Join)\(\s*'(\w+)|\b(?:from|join)\s+(\w+)/g

/**
 * Checks that a table is written by the rooms only that its line names, and that platform reads its own tables only.
 * @param {Map<string, string>} files text by path below server/src
 * @param {Record<string, string[]>} owners rooms by table
 * @returns {string[]} a line per fault
 */
export function checkTables(files, owners) {
  const writers = new Map(Object.keys(owners).map((table) => [table, new Set()]))
  const faults = []
  for (const [path, text] of files)
    for (const table of tablesIn(text, WRITE)) {
      const room = roomOf(path)
      writers.get(table)?.add(room)
      const allowed = owners[table]
      if (allowed && !allowed.includes(room))
        faults.push(`${path} writes ${table}: that is for ${allowed.join(', ')} (scripts/tables/owners.mjs)`)
    }
  for (const [path, text] of files)
    for (const table of path.startsWith('platform/') ? tablesIn(text, READ) : [])
      if (owners[table] && !owners[table].some((room) => room.startsWith('platform/')))
        faults.push(`${path} reads ${table}: platform knows its own tables only`)
  for (const [table, rooms] of writers)
    for (const room of owners[table])
      if (!rooms.has(room)) faults.push(`${room} does not write ${table}: take it off scripts/tables/owners.mjs`)
  return faults
}

/** Every table of the schema has a line. */
export const withoutOwner = (schema, owners) =>
  [...schema.slice(schema.indexOf('export interface DB')).matchAll(/^ {2}(\w+): /gm)]
    .map(([, table]) => table)
    .filter((table) => !(table in owners))

const tablesIn = (text, statement) =>
  new Set([...withoutComments(text).matchAll(statement)].map(([, built, written]) => built ?? written))

/** A feature, a part of platform or core, or the first folder. */
function roomOf(path) {
  const parts = path.split('/')
  return parts.slice(0, ['features', 'platform', 'core'].includes(parts[0]) ? 2 : 1).join('/')
}
