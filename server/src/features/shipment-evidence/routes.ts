import type { shipmentEvidence } from '@isotherm/contract/shipment-evidence.ts'
import type { ExcursionSource } from '../../core/devices/held-excursions.ts'
import { shipmentCustody } from '../../core/shipments/custody.ts'
import type { Handlers } from '../../platform/http/serve.ts'

export const shipmentEvidenceHandlers = (excursionsOf: ExcursionSource): Handlers<typeof shipmentEvidence> => ({
  custody: (ctx, { params }) => shipmentCustody(ctx, excursionsOf, params.id),
})
