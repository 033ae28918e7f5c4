import { withoutComments } from '../sources.mjs'

/** A statement of kysely or of SQL that writes, with the name of its table. */
const WRITE =
  /(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)'|\b(?:insert into|update|delete from|merge into)\s+(?:only )?(\w+)/g

/** A statement that reads, with the name of its table. */
const READ = /(?:selectFrom|Join)\(\s*'(\w+)|\b(?:from|join)\s+(\w+)/g

/**
 * Checks that a table is written by its owner only, and that platform reads its own tables only.
 * @param {Map<string, string>} files text by path below server/src
 * @param {Record<string, string | null>} owners a room by table
 * @returns {string[]} a line per fault
 */
export function checkTables(files, owners) {
  const written = new Set()
  const faults = []
  for (const [path, text] of files) {
    for (const table of tablesIn(text, WRITE)) {
      if (roomOf(path) === owners[table]) written.add(table)
      else if (table in owners)
        faults.push(`${path} writes ${table}: that is for ${owners[table]} (scripts/tables/owners.mjs)`)
    }
    for (const table of path.startsWith('platform/') ? tablesIn(text, READ) : [])
      if (owners[table] && !owners[table].startsWith('platform/'))
        faults.push(`${path} reads ${table}: platform knows its own tables only`)
  }
  for (const [table, owner] of Object.entries(owners))
    if (owner && !written.has(table)) faults.push(`${owner} does not write ${table}: correct scripts/tables/owners.mjs`)
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
