import type { TrackedDevice } from '@isotherm/contract/order-tracking.ts'
import type { TFunction } from 'i18next'

/** The name of a device of an order; a phone has that of its driver. */
export const nameOf = ({ kind, name }: Pick<TrackedDevice, 'kind' | 'name'>, t: TFunction): string =>
  kind === 'phone' ? t('orderTracking:phone.name', { name }) : name
