import { foldName } from './fold-name.ts'

const known = new Map<string, ReadonlyMap<string, string>>()
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Codes (ISO 3166-1 alpha-2) by folded name in a language and in English: 'cote divoire' -> 'CI'. */
export function countryCodes(locale: string): ReadonlyMap<string, string> {
  const found = known.get(locale)
  if (found) return found
  const codes = new Map<string, string>()
  for (const language of ['en', locale]) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    for (const first of letters)
      for (const second of letters) {
        const name = names.of(first + second)
        if (name) codes.set(foldName(name), first + second)
      }
  }
  known.set(locale, codes)
  return codes
}
