// Writes the spaces of French (french-spaces.mjs) into contract/locales/fr: node scripts/locales/space-french.mjs
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { inRoot } from '../run/paths.mjs'
import { withFrenchSpaces } from './french-spaces.mjs'

for (const name of readdirSync(inRoot('contract/locales/fr'))) {
  const path = inRoot('contract/locales/fr', name)
  const before = readFileSync(path, 'utf8')
  const spaced = JSON.stringify(
    JSON.parse(before),
    (_key, value) => (typeof value === 'string' ? withFrenchSpaces(value) : value),
    2,
  )
  if (`${spaced}\n` !== before) writeFileSync(path, `${spaced}\n`)
}
