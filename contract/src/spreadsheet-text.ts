const sign = '[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20]'
// Where a cell may begin: at the start, and where a spreadsheet of another language or a careless one splits the text.
const begin = '(^|[;\\t\\n]|\\r(?!\\n))'
// Matches characters that a spreadsheet may skip, and our own apostrophes, so that a text with some reads back as it was.
const skipped = '[^\\S\\r\\n\\t]'
const ahead = `(?=(?:${skipped}|')*${sign})`
const formula = new RegExp(`${begin}${ahead}`, 'gu')
const escaped = new RegExp(`${begin}'${ahead}`, 'gu')

/**
 * A text for a CSV file: where a spreadsheet would begin a formula, an apostrophe keeps it a text. `plain` gives the text back.
 * Texts are quoted besides; this is for those that split before they look at quotes.
 */
export const defused = (text: string): string => text.replace(formula, "$1'")

/** The text that `defused` was given. */
export const plain = (text: string): string => text.replace(escaped, '$1')
