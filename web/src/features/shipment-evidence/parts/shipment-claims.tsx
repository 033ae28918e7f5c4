import { shipments } from '@isotherm/contract/shipment-calls.ts'
import { shipmentEvidence } from '@isotherm/contract/shipment-evidence.ts'
import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import { call } from '../../../lib/call.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { ClaimsPanel } from '../../../shared/claims/claims-panel.tsx'
import { isUnderWay } from '../../../shared/issued/issued-kind.ts'

/** The time that is left to tell of a damage, and the claim packs of a shipment. */
export function ShipmentClaims({ shipment }: { shipment: ShipmentDetails }) {
  const asked = { params: { id: shipment.id }, query: { kind: 'claim' as const } }
  const notice = useCall(shipmentEvidence.notice, { params: asked.params })
  const { data } = useCall(shipments.reports, asked)
  const claims = data?.data ?? []
  // While one is being made, it is asked for again and again.
  useCall(shipments.reports, asked, { refetchMs: claims.some(isUnderWay) ? 1_000 : undefined })
  return (
    <ClaimsPanel
      notice={notice}
      claims={claims}
      hasStarted={shipment.startedAt !== null}
      ask={(claim) => call(shipments.downloadReport, { body: { ...claim, shipmentId: shipment.id, kind: 'claim' } })}
      onAsked={() => void refetchCalls(shipments.reports)}
      load={(id) => call(shipments.reportFile, { params: { id } }, { toastAll: true })}
      fileName={shipment.number}
    />
  )
}
