// Letters that are no letter with an accent.
const others: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
}

/** A name as it is searched for: small letters without accents, every other sign a space. */
export const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßøłđðþæœıɓɗƙ]/g, (letter) => others[letter] ?? letter)
    .replace(/[\p{M}'’ʻ`]/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
