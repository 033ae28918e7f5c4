// Keeps the imports one-way (scripts/imports/rules.mjs) and without circles, in every workspace, bench, e2e and scripts; handlers
// of calls for `serve` alone (scripts/imports/handlers.mjs), and writers of reports without queries (scripts/imports/writers.mjs).
import { checkImports } from './imports/check.mjs'
import { checkHandlers } from './imports/handlers.mjs'
import { checkWriters } from './imports/writers.mjs'
import { isCode, sourcesIn, tellFaults, WORKSPACES } from './sources.mjs'

const files = sourcesIn(WORKSPACES, isCode)
tellFaults(
  [...checkImports(files), ...checkHandlers(files), ...checkWriters(files)],
  `${files.size} modules import one way`,
)
