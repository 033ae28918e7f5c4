import { plainSpaces } from '../i18n/plain-spaces.ts'

// GSM 03.38, the default alphabet, and what its escape reaches, which takes the room of two.
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const extended = new Set('\f^{}\\[~]|€')

/** How many segments an SMS takes: 160 septets or 70 UTF-16 units in one, 153 or 67 in each of several (3GPP TS 23.040). */
export function smsSegments(text: string): number {
  const signs = [...text]
  if (!signs.every((sign) => basic.has(sign) || extended.has(sign))) return partsOf(signs.map(unitsOf), 70, 67)
  return partsOf(
    signs.map((sign) => (basic.has(sign) ? 1 : 2)),
    160,
    153,
  )
}

const unitsOf = (sign: string) => sign.length

/** A sign that takes the room of two goes into the next segment as a whole. */
function partsOf(widths: readonly number[], single: number, several: number): number {
  if (widths.reduce((sum, width) => sum + width, 0) <= single) return 1
  let [parts, room] = [1, several]
  for (const width of widths) {
    if (width > room) [parts, room] = [parts + 1, several]
    room -= width
  }
  return parts
}

const replaced: Record<string, string> = {
  '°': '',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '−': '-',
}

/**
 * Signs that only look better, in those every phone has: one such sign, or a space that does not break, would more than halve what
 * fits a segment. French quotes go with the spaces within them.
 */
export const plainSigns = (text: string): string =>
  plainSpaces(text)
    .replace(/« ?| ?»/g, '"')
    .replace(/[°’‘“”–−]/g, (sign) => replaced[sign] ?? sign)
