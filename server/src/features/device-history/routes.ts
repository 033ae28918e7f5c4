import type { devices } from '@isotherm/contract/devices.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { drawChart } from './draw-chart.ts'
import { drawPath } from './draw-path.ts'
import { limitsHistory } from './limits-history.ts'
import { readHistoryOn } from './read-history.ts'
import { listRejected } from './rejected.ts'

type Calls = 'limits' | 'history' | 'chart' | 'mapPoints' | 'rejected'

/** The calls of a device's past, and of what it sent that could not be stored. */
export const deviceHistoryHandlers: Pick<Handlers<typeof devices>, Calls> = {
  limits: (ctx, { params }) => limitsHistory(ctx, params.id),
  history: (ctx, { params, query }) => readHistoryOn(ctx, params.id, query),
  chart: (ctx, { params, query }) => drawChart(ctx, params.id, query),
  mapPoints: (ctx, { params, query }) => drawPath(ctx, params.id, query),
  rejected: listRejected,
}
