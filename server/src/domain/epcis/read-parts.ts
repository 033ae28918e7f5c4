import { gs1Digit } from '../check-digits.ts'
import { isJson } from './faults.ts'

export type Json = Record<string, unknown>

/** Longer names than these are no names of things. */
const maxText = 120

/** The beginning of a text, never half a sign: a text that ends so is refused everywhere. */
export const cut = (text: string, most: number): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '')

export const textIn = (value: unknown): string | null => {
  if (typeof value !== 'string') return null
  const text = value.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim()
  return text === '' ? null : cut(text, maxText)
}
export const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const jsonIn = (value: unknown): Json => (isJson(value) ? value : {})

/** The understood part of a name of a thing: a URN of EPC, a Digital Link of GS1, or somebody's own address that ends like ours. */
export const thing = (uri: string, ...shapes: RegExp[]): string | null => {
  for (const shape of shapes) {
    const found = shape.exec(uri)?.[1]
    if (found) return found
  }
  return null
}
export const gtinOf = (uri: string) => thing(uri, /\/01\/(\d{14})(?:\/|$)/) ?? gtinOfUrn(uri)
/** urn:epc:class:lgtin:prefix.item.lot, and the same of single things: the indicator leads the item. */
function gtinOfUrn(uri: string): string | null {
  const shape = /^urn:epc:(?:class:lgtin|id:sgtin|idpat:sgtin):(\d{6,12})\.(\d{1,7})\./
  const [, prefix = '', item = ''] = shape.exec(uri) ?? []
  if (prefix.length + item.length !== 13) return null
  const digits = `${item[0]}${prefix}${item.slice(1)}`
  return `${digits}${gs1Digit(digits)}`
}

/** The text of an extension, by the name behind its prefix. */
export const extensionOf = (event: Json, name: string): string | null =>
  Object.entries(event).flatMap(([key, value]) => (key.split(':')[1] === name ? (textIn(value) ?? []) : []))[0] ?? null
