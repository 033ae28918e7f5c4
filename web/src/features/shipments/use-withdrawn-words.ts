import type { ShipmentEvent } from '@isotherm/contract/shipments.ts'
import { useTranslation } from 'react-i18next'
import { formatTime } from '../../lib/times.ts'

/** Says who withdrew an event, when and why; null where it was not withdrawn. */
export function useWithdrawnWords(): (event: ShipmentEvent) => string | null {
  const { t } = useTranslation('shipments')
  return ({ withdrawn }) =>
    withdrawn &&
    t('events.withdrawn', {
      ...{ by: withdrawn.byName ?? t('source.person'), time: formatTime(withdrawn.at), reason: withdrawn.reason },
    })
}
