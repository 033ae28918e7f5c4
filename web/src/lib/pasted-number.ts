import { decimalSeparator } from './numbers.ts'

/**
 * A pasted number with the decimal mark of the reader's language, or null where the field takes it as it is. Programs write 1.5, which a field in
 * French would take for 15. A comma before exactly three digits parts thousands in English.
 */
export function pastedNumber(text: string): string | null {
  const [, whole = '', mark = '', decimals = ''] = /^([-+\u2212]?\d*)([.,])(\d+)$/.exec(text.trim()) ?? []
  const own = decimalSeparator()
  if (mark === '' || mark === own || (mark === ',' && decimals.length === 3)) return null
  return `${whole.replace('\u2212', '-')}${own}${decimals}`
}

/** Pastes a number in the place of the browser, where the field would read another one. */
export function pasteNumber(event: { clipboardData: DataTransfer; preventDefault(): void }): void {
  const text = pastedNumber(event.clipboardData.getData('text'))
  if (text === null) return
  event.preventDefault()
  // The one way to insert that a field hears of and that can be taken back by Ctrl Z.
  document.execCommand('insertText', false, text)
}
