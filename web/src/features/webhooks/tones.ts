import type { DeliveryState } from '@isotherm/contract/webhooks.ts'
import type { Tone } from '../../ui/state-dot.tsx'

export const toneOfState: Record<DeliveryState, Tone> = {
  ...{ waiting: 'warning', sending: 'warning', delivered: 'ok' },
  ...{ failed: 'warm', cancelled: 'none', hidden: 'none' },
}
