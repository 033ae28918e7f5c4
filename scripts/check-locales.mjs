// Every text in every language (scripts/locales/check.mjs), over contract/locales/<language>/<namespace>.json.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkLocales } from './locales/check.mjs'

const folder = fileURLToPath(new URL('../contract/locales', import.meta.url))
const languages = {}
for (const language of readdirSync(folder)) {
  languages[language] = {}
  for (const file of readdirSync(join(folder, language))) {
    languages[language][file.replace('.json', '')] = JSON.parse(readFileSync(join(folder, language, file), 'utf8'))
  }
}
const faults = checkLocales(languages)
console.log(faults.length ? faults.join('\n') : `${Object.keys(languages).join(', ')} are complete`)
process.exitCode = faults.length ? 1 : 0
