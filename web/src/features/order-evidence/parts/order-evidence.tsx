import type { OrderDetails } from '@isotherm/contract/orders.ts'
import frames from '../../../ui/frames.module.css'
import { ClaimPanel } from './claim-panel.tsx'
import { CustodyPanel } from './custody-panel.tsx'
import { DwellPanel } from './dwell-panel.tsx'

/** The evidence of an order: who held its goods, how long it waited, and the claim with its clock. */
export const OrderEvidence = ({ order }: { order: OrderDetails }) => (
  <div className={frames.stack}>
    <CustodyPanel order={order} />
    <DwellPanel orderId={order.id} />
    <ClaimPanel order={order} />
  </div>
)
