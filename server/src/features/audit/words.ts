import type { Locale } from '@isotherm/contract/common.ts'
import { textsOf, translate } from '../../platform/i18n/i18n.ts'
import { fieldInWords, type Reader, valueInWords, wordOr } from './value-words.ts'

/** One fact that an entry holds, as a person reads it; null is no value. */
export interface Fact {
  name: string
  before: string | null
  after: string | null
}

type Facts = Record<string, unknown> | null

// Only said by number what other facts say by name.
const hidden = new Set(['geofenceIds', 'pointOfInterestIds', 'deviceId'])
// Their facts speak for themselves.
const bare = new Set(['rule', 'limits', 'roleModulePermissions'])
const modules = /^(devices|groups|alarms|reports|users|dispatch|payments)$/

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
// Fields that read better as one value than as their parts.
const isWhole = (value: Record<string, unknown>) => 'lat' in value || 'centre' in value || 'points' in value

/** The leaves of what was recorded, by their dotted path. */
function leaves(facts: Facts): Map<string, unknown> {
  const found = new Map<string, unknown>()
  const walk = (value: unknown, path: string[]) => {
    if (isObject(value) && !isWhole(value))
      for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key])
    else if (!hidden.has(path.at(-1) ?? '')) found.set(path.join('.'), value)
  }
  for (const [key, value] of Object.entries(facts ?? {})) walk(value, [key])
  return found
}

/** The values before and after an entry, fact by fact: a fact that did not change, or has no value on either side, is left out. */
export function changesInWords(before: Facts, after: Facts, reader: Reader): Fact[] {
  const [old, fresh] = [leaves(before), leaves(after)]
  const paths = [...new Set([...old.keys(), ...fresh.keys()])].sort((a, b) => placeOf(a) - placeOf(b))
  const facts = paths.map((path): Fact => {
    const say = (value: unknown) => valueInWords(path, value, reader)
    return { name: nameInWords(path, reader.locale), before: say(old.get(path)), after: say(fresh.get(path)) }
  })
  return facts.filter((fact) => fact.before !== fact.after)
}

// Stored JSON has lost its order; facts come in the order of the list of their names.
const order = Object.keys(textsOf('en', 'auditWords:fields'))
function placeOf(path: string): number {
  const place = order.indexOf(path.slice(path.lastIndexOf('.') + 1))
  return place < 0 ? order.length : place
}

/** The name of a fact: each step of its path in words, without those that only hold others. */
export function nameInWords(path: string, locale: Locale): string {
  const steps = path.split('.')
  const isPermission = steps.length > 1 && modules.test(steps.at(-2) ?? '')
  const named = steps.filter((step, index) => !(bare.has(step) && index < steps.length - 1))
  return named
    .map((step, index) => {
      if (isPermission) return permissionWord(named, index, locale)
      return fieldInWords(step, locale)
    })
    .join(' – ')
}

const permissionWord = (steps: string[], index: number, locale: Locale) =>
  wordOr(locale, `users:${index === steps.length - 1 ? 'actions' : 'modules'}.${steps[index]}`, steps[index] ?? '')

/** The author; null where nobody was signed in. */
export const actorInWords = ({ kind, name }: { kind: string; name?: string }, locale: Locale): string | null =>
  name === undefined ? null : kind === 'system' ? wordOr(locale, `auditWords:actors.${name}`, name) : name

/** The target, with its kind: "Device Fridge 2". */
export function targetInWords(target: { kind: string; name: string } | null, locale: Locale): string | null {
  if (!target) return null
  const name =
    target.kind === 'role' ? wordOr(locale, `auditWords:values.role.${target.name}`, target.name) : target.name
  const kind = wordOr(locale, `auditWords:targets.${target.kind}`, '')
  return kind ? translate(locale, 'auditWords:about', { kind, name }) : name
}
