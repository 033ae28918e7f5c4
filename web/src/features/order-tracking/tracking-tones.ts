import type { TrackedTemperature } from '@isotherm/contract/order-tracking.ts'
import type { Tone } from '../../ui/state-dot.tsx'

/** The tone of a temperature: grey where it is old. */
export function toneOf(temperature: TrackedTemperature | null): Tone {
  if (!temperature?.isLive) return 'none'
  if (temperature.judgement === 'above') return 'warm'
  return temperature.judgement === 'below' ? 'cold' : 'ok'
}
