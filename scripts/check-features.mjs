// Keeps each file of a feature to its role (scripts/features/check.mjs). PostgreSQL itself refuses a call that only reads to write.
import { checkFeatures } from './features/check.mjs'
import { isCode, sourcesIn, tellFaults } from './sources.mjs'

const files = sourcesIn(['server/src/features', 'server/src/reporting'], isCode)
tellFaults(checkFeatures(files), `${files.size} files of features and reporting keep to their roles`)
