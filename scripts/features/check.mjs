import { basename } from 'node:path/posix'
import { withoutComments } from '../sources.mjs'

/** The files of a feature that may hold SQL. */
const HOLDS_SQL = /^(?:.+-)?(?:queries|sql)\.ts$/

/** A statement of kysely, a template or function of its `sql`, a tag of platform/db/rows.ts, a query of the driver. */
const SQL =
  /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|(?<![-\w.'"])sql(?:<|`|\.\w)|\b(?:allRows|firstRow|countRows)(?:<[^`]*>)?\([\w.]+\)`|\b(?:client|pool|tx)\.query\b/

/** The place of routes: they hand over to verbs and queries, and present. */
const ROUTES = /(?:^|-)routes\.ts$/

/** The beginning of a transaction, or the look into one: a route has the transaction of its call. */
const TRANSACTION = /\b(?:asLogin|asPipeline|inTenant|withLogin|withTenant)\(/

/**
 * Checks that each file of a feature keeps to its role (docs/architecture.md): SQL in `*queries.ts` and `*-sql.ts`, no transactions
 * in `*routes.ts`.
 * @param {Map<string, string>} files text by path in the repository
 * @returns {string[]} a line per fault, with file and line
 */
export function checkFeatures(files) {
  return [...files].flatMap(([path, text]) =>
    /^server\/src\/(?:features\/[^/]+|reporting)\/.+\.ts$/.test(path) && !path.endsWith('.test.ts')
      ? faultsOf(path, text)
      : [],
  )
}

function faultsOf(path, text) {
  return withoutComments(text)
    .split('\n')
    .flatMap((line, index) => {
      const fault = faultOf(basename(path), line)
      return fault ? [`${path}:${index + 1} ${fault}`] : []
    })
}

function faultOf(name, line) {
  if (!HOLDS_SQL.test(name) && SQL.test(line)) return 'SQL belongs into a file *queries.ts or *-sql.ts'
  if (ROUTES.test(name) && TRANSACTION.test(line)) return 'a route works in the transaction of its call'
  return null
}
