const PLURAL = /_(zero|one|two|few|many|other)$/
const SOURCE = 'en'

/**
 * Compares the texts of every language with the English ones. `languages` is {en: {namespace: tree}, ...}; returns one
 * line for each fault: missing, superfluous, empty, other variables or tags, plural forms, sentences left in English.
 */
export function checkLocales(languages) {
  const source = flatten(languages[SOURCE] ?? {})
  return Object.entries(languages).flatMap(([language, namespaces]) =>
    checkLanguage(language, flatten(namespaces), source).map((fault) => `${language} ${fault}`),
  )
}

function checkLanguage(language, texts, source) {
  const wanted = new Map(expected(language, source))
  const faults = []
  for (const [key, original] of wanted) {
    const text = texts.get(key)
    if (text === undefined) faults.push(`${key}: missing`)
    else if (typeof text !== 'string' || !text.trim()) faults.push(`${key}: empty, or not a text`)
    else faults.push(...compare(text, original, language).map((fault) => `${key}: ${fault}`))
  }
  for (const key of texts.keys())
    if (!wanted.has(key)) faults.push(`${key}: not in ${SOURCE}, or no plural form of ${language}`)
  return faults
}

/** Keys the language must have, each with its English text: plural forms are the language's own (CLDR), not English's. */
function* expected(language, source) {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  for (const [key, text] of source) {
    const stem = key.replace(PLURAL, '')
    if (!PLURAL.test(key) || !source.has(`${stem}_other`)) yield [key, text]
    else if (key.endsWith('_other')) for (const category of pluralCategories) yield [`${stem}_${category}`, text]
  }
}

function compare(text, original, language) {
  const faults = []
  for (const [what, pattern] of [
    ['variables', /\{\{-?\s*([\w.]+)/g],
    ['tags', /<\/?\w+>/g],
  ]) {
    // "One device" needs no count: a text may leave {{count}} out.
    const [ours, theirs] = [text, original].map((one) =>
      setOf(one, pattern)
        .filter((name) => name !== 'count')
        .join(' '),
    )
    if (ours !== theirs) faults.push(`${what} are "${ours}", in ${SOURCE} "${theirs}"`)
  }
  const isSentence =
    original
      .replace(/\{\{.*?\}\}/g, '')
      .split(/\s+/)
      .filter((word) => /[a-z]{2}/.test(word)).length >= 4
  if (language !== SOURCE && isSentence && text === original) faults.push('not translated')
  return faults
}

const setOf = (text, pattern) => [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? match[0]))].sort()

/** A tree of texts as a Map of dotted keys. */
export function flatten(tree, prefix = '', into = new Map()) {
  for (const [name, value] of Object.entries(tree)) {
    const key = prefix ? `${prefix}.${name}` : name
    if (value && typeof value === 'object') flatten(value, key, into)
    else into.set(key, value)
  }
  return into
}
