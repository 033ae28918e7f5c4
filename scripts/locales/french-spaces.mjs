// The spaces that do not break a line before and within French signs, as the Imprimerie nationale, Unicode CLDR and `Intl` write
// them: narrow before ";" "?" "!", wide before ":" and "%" and within « ».
const WIDE = '\u00a0'
const NARROW = '\u202f'
// Placeholders with their arguments, tags, addresses and code stay as they are.
const KEPT = /\{\{.*?\}\}|<[^>]*>|\b[a-z]+:\/\/\S+|`[^`]*`/g
const SPACE = '[ \\u00a0\\u202f\\u2009]'

const rules = [
  [new RegExp(`${SPACE}+([;?!])`, 'g'), `${NARROW}$1`],
  [new RegExp(`${SPACE}+([:%»])`, 'g'), `${WIDE}$1`],
  [new RegExp(`«${SPACE}+`, 'g'), `«${WIDE}`],
]

/** A French text with the spaces that its signs ask for; where a sign has no space, none is added. */
export function withFrenchSpaces(text) {
  const kept = []
  // A private sign stands for what is kept, so that a space between it and a sign is seen.
  const bare = text.replace(KEPT, (found) => `\ue000${kept.push(found) - 1}\ue001`)
  const spaced = rules.reduce((before, [pattern, replacement]) => before.replace(pattern, replacement), bare)
  return spaced.replace(/\ue000(\d+)\ue001/g, (_found, index) => kept[index])
}

/** One line for each French text in which a line could break before a sign. `texts` is a Map of texts by key. */
export const checkFrenchSpaces = (texts) =>
  [...texts].flatMap(([key, text]) =>
    typeof text === 'string' && text !== withFrenchSpaces(text)
      ? [`fr ${key}: plain or wrong space at ":" ";" "?" "!" "%" or « » (run scripts/locales/space-french.mjs)`]
      : [],
  )
