// Refuses changes of the API that break its clients, unless docs/api-changes.md says why. With --renew docs/api.json is written anew.
import { readFileSync, writeFileSync } from 'node:fs'
import { api } from '../contract/src/api.ts'
import { openapi } from '../server/src/platform/http/openapi.ts'
import { contractNames } from '../server/src/platform/http/openapi-names.ts'
import { checkApi, entriesOf } from './api/check.mjs'
import { describe, write } from './api/describe.mjs'
import { inRoot } from './run/paths.mjs'
import { tellFaults } from './sources.mjs'

const file = inRoot('docs/api.json')
const entries = entriesOf(readFileSync(inRoot('docs/api-changes.md'), 'utf8'))
// As it is published: what JSON leaves out is not there.
const present = describe(JSON.parse(JSON.stringify(openapi(api, await contractNames()))))
const text = write({ 'docs/api-changes.md': { entries: entries.length }, ...present })

const before = readFileSync(file, 'utf8')
const { 'docs/api-changes.md': kept, ...description } = JSON.parse(before)
const { unexplained, wrong } = checkApi({ entries: kept.entries, description }, present, entries)
const faults = [...wrong, ...unexplained.map((fault) => `breaks clients: ${fault}`)]
if (unexplained.length) faults.push('Undo these changes, or explain each in a row of docs/api-changes.md.')
else if (faults.length === 0 && text !== before) {
  if (process.argv.includes('--renew')) writeFileSync(file, text)
  else faults.push('The API has more than docs/api.json says, and breaks no client: run npm run api')
}
tellFaults(faults, `${Object.keys(present).length} calls, events and types of the API break no client`)
