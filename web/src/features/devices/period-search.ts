import type { Period } from '@isotherm/contract/common.ts'
import { limits } from '@isotherm/contract/limits.ts'
import { inOrder, type Preset, presets } from '../../lib/periods.ts'

export type Chosen = { preset: Preset } | { preset: 'custom'; period: Period }

const isPreset = (text: unknown): text is Preset => typeof text === 'string' && Object.hasOwn(presets, text)
const instant = (text: unknown) => {
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

/** The period a URL asks for; `fallback` where it asks for none, or for nonsense. */
export function chosenOf(search: Record<string, unknown>, fallback: Preset = '24h'): Chosen {
  const [from, to] = [instant(search.from), instant(search.to)]
  if (from && to && inOrder({ from, to }) && !isTooLong({ from, to })) return { preset: 'custom', period: { from, to } }
  return { preset: isPreset(search.period) ? search.period : fallback }
}

/**
 * The search parameters of a choice; `page` starts over with another period. A preset is named also where a screen begins with it:
 * another tab, which the choice goes along to, begins with another.
 */
export const searchOf = (chosen: Chosen): Record<string, string | undefined> =>
  chosen.preset === 'custom'
    ? { period: undefined, page: undefined, ...chosen.period }
    : { period: chosen.preset, page: undefined, from: undefined, to: undefined }

export const isTooLong = (period: Period): boolean =>
  Date.parse(period.to) - Date.parse(period.from) > limits.maxPeriodDays * 86_400_000
