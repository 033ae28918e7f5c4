import type { QueryClient } from '@tanstack/react-query'
import { applyTrigger } from '../features/alarms/live-alarms.ts'
import * as devices from '../features/devices/live-devices.ts'
import { applyNotification } from '../features/notifications/live-notifications.ts'
import * as tracking from '../features/order-tracking/live-tracking.ts'
import { refetchWatchedRecords } from '../features/records/watch-record.ts'
import { type CallPath, refetchNow, refetchSoon } from '../lib/live-refetch.ts'
import type { PushAppliers } from '../lib/realtime.ts'
import * as fleet from './maps/live-fleet.ts'

type OfDevice = { deviceId: string }

const ofDevice =
  (...paths: CallPath[]) =>
  (client: QueryClient, { deviceId }: OfDevice) =>
    refetchSoon(client, paths, { id: deviceId })

const anyOf =
  (...paths: CallPath[]) =>
  (client: QueryClient) =>
    refetchSoon(client, paths)

const refetchStats = ofDevice('/devices/:id/stats')
const refetchGroups = anyOf('/groups/:id/overview', '/groups/:id/devices', '/groups/:id/chart', '/groupStats/:id')

const refetchLife = (client: QueryClient, { deviceId }: OfDevice) => {
  refetchNow(client, ['/devices/:id/life'], { id: deviceId })
  refetchNow(client, ['/devices/decommissioned'])
}

const placePaths = { geofence: '/geofence', pointOfInterest: '/point-of-interests' } satisfies Record<string, CallPath>

const orderLists: CallPath[] = [
  '/dispatch/orders',
  '/dispatch/orders/summary',
  '/dispatch/board',
  '/dispatch/map',
  '/dispatch/warnings',
  '/dispatch/orders/:id/receivers/:receiverId/link',
  '/dispatch/orders/:id/receivers/:receiverId/conditions',
]
const orderPaths: CallPath[] = [
  '/dispatch/orders/:id',
  '/dispatch/orders/:id/events',
  '/dispatch/orders/:id/warnings',
  '/dispatch/orders/:id/fit',
  '/dispatch/orders/:id/handovers',
  '/dispatch/orders/:id/custody',
  '/dispatch/orders/:id/dwell',
  '/dispatch/orders/:id/notice-periods',
  '/trackDispatch/:id',
]

const shipmentLists: CallPath[] = [
  '/export/shipments',
  '/export/shipments/summary',
  '/export/shipments/map',
  '/export/shipments/devices-by-status',
]
const shipmentPaths: CallPath[] = [
  '/export/shipments/:id',
  '/export/shipments/:id/conditions',
  '/export/shipments/:id/custody',
  '/export/shipments/:id/outlook',
  '/export/shipments/:id/cold-treatment',
  '/export/shipments/:id/epcis/check',
]

/** Every change that a push makes to the cache; `lib/realtime.ts` runs them. */
export const pushAppliers: PushAppliers = {
  reading: [
    devices.applyReading,
    fleet.applyReading,
    tracking.applyReading,
    refetchStats,
    refetchGroups,
    refetchWatchedRecords,
  ],
  excursion: [
    devices.applyExcursion,
    fleet.refetchFleet,
    ofDevice('/devices/:id/excursion', '/devices/:id/excursion/summary'),
    anyOf('/excursions'),
    refetchStats,
    refetchGroups,
    refetchWatchedRecords,
  ],
  device: [devices.applyDevice, fleet.refetchFleet, refetchLife],
  trigger: [applyTrigger, anyOf('/devices')],
  notification: [applyNotification],
  // An open map shows at once what somebody else drew, changed or deleted.
  order: [
    (client, { id }) => {
      refetchSoon(client, orderLists)
      refetchSoon(client, orderPaths, { id })
    },
  ],
  shipment: [
    (client, { id }) => {
      refetchSoon(client, shipmentLists)
      refetchSoon(client, shipmentPaths, { id })
    },
  ],
  place: [(client, { kind }) => refetchNow(client, [placePaths[kind]])],
}
