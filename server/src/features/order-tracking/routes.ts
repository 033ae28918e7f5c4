import type { orderTracking } from '@isotherm/contract/order-tracking.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { type HistoryReader, orderHistory } from './history.ts'
import { boardOfDay, mapOfOrders } from './overview.ts'
import { trackByCode, trackDevice, trackOrder } from './track.ts'

export function orderTrackingHandlers(reader: HistoryReader): Handlers<typeof orderTracking> {
  const history = orderHistory(reader)
  return {
    history: (ctx, { query }) => history.readings(ctx, query),
    historyChart: (ctx, { query }) => history.chart(ctx, query),
    historyMapPoints: (ctx, { query }) => history.mapPoints(ctx, query),
    board: (ctx, { query }) => boardOfDay(ctx, query),
    map: (ctx) => mapOfOrders(ctx),
    track: (ctx, { params }) => trackByCode(ctx, params.id, params.trackingCode),
    live: (ctx, { params }) => trackOrder(ctx, params.id),
    device: (ctx, { params }) => trackDevice(ctx, params.id, params.imei),
  }
}
