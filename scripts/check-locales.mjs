// Every text in every language (scripts/locales/check.mjs), over contract/locales/<language>/<namespace>.json; the spaces of
// French (scripts/locales/french-spaces.mjs); one word for a thing (scripts/locales/one-word.mjs); every use of a text in the code (scripts/locales/check-uses.mjs), and every act
// of the audit trail (scripts/locales/check-actions.mjs).
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkLocales, flatten } from './locales/check.mjs'
import { checkActions } from './locales/check-actions.mjs'
import { checkUses } from './locales/check-uses.mjs'
import { dynamicKeys } from './locales/dynamic-keys.mjs'
import { checkFrenchSpaces } from './locales/french-spaces.mjs'
import { checkOneWord } from './locales/one-word.mjs'
import { inRoot } from './run/paths.mjs'
import { sourcesIn, tellFaults } from './sources.mjs'

const folder = inRoot('contract/locales')
const languages = {}
for (const language of readdirSync(folder)) {
  languages[language] = {}
  for (const file of readdirSync(join(folder, language))) {
    languages[language][file.replace('.json', '')] = JSON.parse(readFileSync(join(folder, language, file), 'utf8'))
  }
}
const flat = Object.fromEntries(Object.entries(languages).map(([language, trees]) => [language, flatten(trees)]))
const texts = new Map()
for (const [namespace, tree] of Object.entries(languages.en))
  for (const [key, text] of flatten(tree)) texts.set(`${namespace}:${key}`, text)

const isRead = (path) => /(?<!\.test)\.tsx?$/.test(path) && !/\.d\.ts$|\/test\//.test(path)
const files = [...sourcesIn(['contract/src', 'server/src', 'web/src'], isRead)]
tellFaults(
  [
    ...checkLocales(languages),
    ...checkFrenchSpaces(flat.fr),
    ...checkOneWord(flat),
    ...checkUses(files, texts, dynamicKeys),
    ...checkActions(files, texts),
  ],
  `${Object.keys(languages).join(', ')} are complete, and all that is used is there`,
)
