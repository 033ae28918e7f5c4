// GSM 03.38, the default alphabet, and what its escape reaches, which takes the room of two.
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const extended = new Set('\f^{}\\[~]|€')

/** How many segments an SMS takes: 160 septets or 70 UTF-16 units in one, 153 or 67 in each of several (3GPP TS 23.040). */
export function smsSegments(text: string): number {
  let septets = 0
  for (const sign of text) {
    if (basic.has(sign)) septets += 1
    else if (extended.has(sign)) septets += 2
    else return partsOf(text.length, 70, 67)
  }
  return partsOf(septets, 160, 153)
}

const partsOf = (length: number, single: number, several: number) =>
  length <= single ? 1 : Math.ceil(length / several)

const replaced: Record<string, string> = {
  '°': '',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '«': '"',
  '»': '"',
  '–': '-',
  '−': '-',
}

/** Signs that only look better, in those every phone has: one such sign would more than halve what fits a segment. */
export const plainSigns = (text: string): string =>
  text.replace(/[°’‘“”«»–−]/g, (sign) => replaced[sign] ?? sign).replace(/[\u00a0\u2009\u202f]/g, ' ')
