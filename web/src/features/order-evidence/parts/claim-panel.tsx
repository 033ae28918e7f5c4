import { orderEvidence } from '@isotherm/contract/order-evidence.ts'
import type { OrderDetails } from '@isotherm/contract/orders.ts'
import { call } from '../../../lib/call.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { ClaimsPanel } from '../../../shared/claims/claims-panel.tsx'
import { isUnderWay } from '../../../shared/issued/issued-kind.ts'

/** The time that is left to tell of a damage, and the claim packs of an order. */
export function ClaimPanel({ order }: { order: OrderDetails }) {
  const asked = { params: { id: order.id } }
  const notice = useCall(orderEvidence.notice, asked)
  const { data } = useCall(orderEvidence.claims, asked)
  const claims = data?.data ?? []
  // While one is being made, it is asked for again and again.
  useCall(orderEvidence.claims, asked, { refetchMs: claims.some(isUnderWay) ? 1_000 : undefined })
  return (
    <ClaimsPanel
      notice={notice}
      claims={claims}
      hasStarted={order.startedAt !== null}
      ask={(body) => call(orderEvidence.claim, { ...asked, body })}
      onAsked={() => void refetchCalls(orderEvidence.claims)}
      load={(id) => call(orderEvidence.claimFile, { params: { id } }, { toastAll: true })}
      fileName={order.trackingCode}
    />
  )
}
