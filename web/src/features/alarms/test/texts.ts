import i18next from 'i18next'
import type { Words } from '../trigger-words.ts'

const files = import.meta.glob<Record<string, unknown>>('../../../../../contract/locales/*/*.json', {
  eager: true,
  import: 'default',
})

/** The words of a namespace in a language, from the files that ship; a key without words fails. */
export async function wordsOf(language: string, namespace: string): Promise<Words> {
  const texts = files[`../../../../../contract/locales/${language}/${namespace}.json`]
  if (!texts) throw new Error(`no ${namespace} in ${language}`)
  const i18n = i18next.createInstance()
  await i18n.init({
    lng: language,
    defaultNS: namespace,
    resources: { [language]: { [namespace]: texts } },
    interpolation: { escapeValue: false },
    saveMissing: true,
    missingKeyHandler: (_languages, _namespace, key) => {
      throw new Error(`no ${language} words for ${key}`)
    },
  })
  return (key, values) => i18n.t(key, values)
}
