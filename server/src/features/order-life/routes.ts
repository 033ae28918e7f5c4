import type { orderLife } from '@isotherm/contract/order-life.ts'
import { cancelOrder } from '../../core/orders/acts/cancel-order.ts'
import { changeCrew } from '../../core/orders/acts/change-crew.ts'
import { endOrder } from '../../core/orders/acts/end-order.ts'
import { settleReceiver } from '../../core/orders/acts/settle-receiver.ts'
import { snoozeReceiver, unsnoozeReceiver } from '../../core/orders/acts/snooze-receiver.ts'
import { startOrder } from '../../core/orders/acts/start-order.ts'
import { arriveAt, departFrom } from '../../core/orders/acts/visit-stop.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { readCrewChoices, readEvents, readFitness } from './read-life.ts'
import { actByCode, actOf, actOn } from './verbs.ts'

export const orderLifeHandlers: Handlers<typeof orderLife> = {
  start: (ctx, { params, body }) => actByCode(ctx, params, (acting, order) => startOrder(acting, order, actOf(body))),
  end: (ctx, { params, body }) => actByCode(ctx, params, (acting, order) => endOrder(acting, order, actOf(body))),
  cancel: (ctx, { params, body }) => actOn(ctx, params.id, (acting, order) => cancelOrder(acting, order, actOf(body))),
  snooze: (ctx, { params, body: { until, ...body } }) =>
    actOn(ctx, params.id, (acting, order) =>
      until === null
        ? unsnoozeReceiver(acting, order, params.receiverId, actOf(body))
        : snoozeReceiver(acting, order, params.receiverId, { ...actOf(body), until: new Date(until) }),
    ),
  arrive: (ctx, { params, body }) =>
    actOn(ctx, params.id, (acting, order) => arriveAt(acting, order, params.receiverId, actOf(body))),
  depart: (ctx, { params, body }) =>
    actOn(ctx, params.id, (acting, order) => departFrom(acting, order, params.receiverId, actOf(body))),
  settle: (ctx, { params, body }) =>
    actOn(ctx, params.id, (acting, order) => settleReceiver(acting, order, params.receiverId, actOf(body))),
  crew: (ctx, { params, body }) => actOn(ctx, params.id, (acting, order) => changeCrew(acting, order, body)),
  crewChoices: (ctx, { params, query }) => readCrewChoices(ctx, params.id, query),
  startOlder: (ctx, { params, body: { trackingCode, ...body } }) =>
    actByCode(ctx, { ...params, trackingCode }, (acting, order) => startOrder(acting, order, actOf(body))),
  endOlder: (ctx, { params, body: { trackingCode, ...body } }) =>
    actByCode(ctx, { ...params, trackingCode }, (acting, order) => endOrder(acting, order, actOf(body))),
  events: (ctx, { params }) => readEvents(ctx, params.id),
  fit: (ctx, { params }) => readFitness(ctx, params.id),
}
