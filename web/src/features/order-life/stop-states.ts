import type { OrderReceiver } from '@isotherm/contract/orders.ts'
import type { Tone } from '../../ui/state-dot.tsx'

/** Whether a receiver is still to be served. */
export const isOpen = ({ settledAt }: Pick<OrderReceiver, 'settledAt'>): boolean => settledAt === null

export const stopTones: Record<OrderReceiver['state'], Tone> = {
  waiting: 'none',
  arrived: 'ok',
  delivered: 'ok',
  partlyDelivered: 'warning',
  refused: 'warm',
  failed: 'warm',
  cancelled: 'none',
}
