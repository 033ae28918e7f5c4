import { KeptReason, type ShipmentEvent } from '@isotherm/contract/shipments.ts'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../../lib/times.ts'

/** Why a shipment keeps its state though a milestone was withdrawn; undefined of other events. */
export const keptReasonOf = ({ kind, detail }: ShipmentEvent): KeptReason | undefined =>
  kind === 'milestoneWithdrawn' ? KeptReason.safeParse(detail.kept).data : undefined

/** Says who withdrew an event, when and why; null where it was not withdrawn. */
export function useWithdrawnWords(): (event: ShipmentEvent) => string | null {
  const { t } = useTranslation('shipments')
  return ({ withdrawn }) =>
    withdrawn &&
    t('events.withdrawn', {
      ...{ by: withdrawn.byName ?? t('source.person'), time: formatTime(withdrawn.at), reason: withdrawn.reason },
    })
}
