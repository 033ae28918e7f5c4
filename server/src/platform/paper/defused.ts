/** A text that a spreadsheet would take for a formula is defused by an apostrophe. */
export const defused = (text: string): string =>
  /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/u.test(text) ? `'${text}` : text
