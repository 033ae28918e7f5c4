import { readFile } from 'node:fs/promises'
import type { Locale } from '@isotherm/contract/common.ts'

export type Say = (key: string, values?: Record<string, string | number>) => string

/** The texts of a language by namespace and key, as people read them. */
export async function textsOf(locale: Locale, spaces: readonly string[]): Promise<Say> {
  const file = async (name: string) =>
    JSON.parse(await readFile(new URL(`../contract/locales/${locale}/${name}.json`, import.meta.url), 'utf8'))
  const texts = Object.fromEntries(await Promise.all(spaces.map(async (name) => [name, await file(name)])))
  return (key, values = {}) => {
    const [name = '', path = ''] = key.split(':')
    const text = path.split('.').reduce((at, part) => at?.[part], texts[name])
    if (typeof text !== 'string') throw new Error(`no text ${key}`)
    return text.replace(/\{\{(\w+)\}\}/g, (_, value: string) => String(values[value] ?? ''))
  }
}
