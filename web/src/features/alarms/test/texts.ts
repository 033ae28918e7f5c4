import { readFileSync } from 'node:fs'
import i18next from 'i18next'
import type { Words } from '../trigger-words.ts'

/** The words of a namespace in a language, from the files that ship; a key without words fails. */
export async function wordsOf(language: string, namespace: string): Promise<Words> {
  const file = new URL(`../../../../../contract/locales/${language}/${namespace}.json`, import.meta.url)
  const i18n = i18next.createInstance()
  await i18n.init({
    lng: language,
    defaultNS: namespace,
    resources: { [language]: { [namespace]: JSON.parse(readFileSync(file, 'utf8')) } },
    interpolation: { escapeValue: false },
    saveMissing: true,
    missingKeyHandler: (_languages, _namespace, key) => {
      throw new Error(`no ${language} words for ${key}`)
    },
  })
  return (key, values) => i18n.t(key, values)
}
