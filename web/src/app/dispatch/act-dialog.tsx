import { orders } from '@isotherm/contract/order-calls.ts'
import type { Order } from '@isotherm/contract/orders.ts'
import { CancelDialog } from '../../features/order-life/parts/cancel-dialog.tsx'
import { EndDialog } from '../../features/order-life/parts/end-dialog.tsx'
import { StartDialog } from '../../features/order-life/parts/start-dialog.tsx'
import { useCall } from '../../lib/query.ts'
import { useReadToOpen } from '../../ui/form/use-read-to-open.ts'

export type OrderAct = 'start' | 'end' | 'cancel'

interface ActDialogProps {
  order: Order
  act: OrderAct
  onClose: () => void
}

/** Starts, ends or cancels an order of the list: two of them ask about its receivers, which the list does not know. */
export function ActDialog({ order, act, onClose }: ActDialogProps) {
  const read = useCall(orders.one, { params: { id: order.id } }, { enabled: act !== 'start', staleTimeMs: 0 })
  const data = useReadToOpen(read, onClose)
  if (act === 'start') return <StartDialog order={order} onClose={onClose} />
  if (!data) return null
  return act === 'end' ? <EndDialog order={data} onClose={onClose} /> : <CancelDialog order={data} onClose={onClose} />
}
