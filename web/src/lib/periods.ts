import type { Period } from '@isotherm/contract/common.ts'
import { nowMs } from './now.ts'

export const presets = { '24h': 1, '7d': 7, '30d': 30 } as const
export type Preset = keyof typeof presets

/** The period that ends now. */
export function periodOf(preset: Preset, now = nowMs()): Period {
  return { from: new Date(now - presets[preset] * 86_400_000).toISOString(), to: new Date(now).toISOString() }
}

/** Pickers refuse equal dates too. */
export const inOrder = (period: Period): boolean => Date.parse(period.from) < Date.parse(period.to)
