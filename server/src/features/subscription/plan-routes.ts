import { metaOf } from '@isotherm/contract/paging.ts'
import type { plans } from '@isotherm/contract/plans.ts'
import { catalogueOf } from '../../core/billing/market.ts'
import { deviceIdOf } from '../../core/devices/visible-devices.ts'
import type { Context } from '../../platform/context.ts'
import { orNotFound } from '../../platform/errors/app-error.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { cancel, resume } from './cancel.ts'
import { cancelDevice, type Placed } from './cancel-device.ts'
import { changePlan, quoteChange } from './change-plan.ts'
import { payRenewal } from './pay-renewal.ts'
import { placeDevice } from './place-device.ts'
import { devicesOfLicence, pageOfSubscribed, pageOfSubscriptions, pageOfUnlicensed } from './plan-queries.ts'
import { presentLicence } from './present.ts'
import {
  firstPeriods,
  presentPlan,
  presentSubscribed,
  presentSubscription,
  presentUnlicensed,
  showSubscription,
} from './present-plans.ts'
import { findLicence } from './queries.ts'
import { subscribe } from './subscribe.ts'

const presentPlace = async (ctx: Context, { device, place }: Placed) => ({
  device: { id: String(device.id), name: device.name },
  until: place.licence_until.toISOString(),
  isCancelled: place.cancelled_at !== null,
  subscription: await showSubscription(ctx, place.subscription_id),
})

export const planHandlers: Handlers<typeof plans> = {
  async plans(ctx, { query }) {
    const catalogue = await catalogueOf(ctx, ctx.clock.now())
    const isSold = ctx.services.config.billing.isOn && catalogue.market.payBy.length > 0
    const onSale = isSold ? catalogue.plans.filter((plan) => plan.archived_at === null) : []
    const start = (query.page - 1) * query.perPage
    const first = await firstPeriods(ctx)
    return {
      data: onSale
        .slice(start, start + query.perPage)
        .map((plan) => presentPlan(plan, catalogue, { first, locale: ctx.locale })),
      meta: metaOf(query, onSale.length),
    }
  },
  async subscriptions(ctx, { query }) {
    const { rows, total } = await pageOfSubscriptions(ctx, query)
    const catalogue = await catalogueOf(ctx, ctx.clock.now())
    const data = []
    for (const row of rows) data.push(await presentSubscription(ctx, row, catalogue))
    return { data, meta: metaOf(query, total) }
  },
  subscribe: (ctx, { body }) => subscribe(ctx, body),
  quote: async (ctx, { params, query }) => ({ quote: await quoteChange(ctx, params.id, query) }),
  change: (ctx, { params, body }) => changePlan(ctx, params.id, body),
  async cancel(ctx, { params }) {
    await cancel(ctx, params.id)
    return showSubscription(ctx, params.id)
  },
  async resume(ctx, { params }) {
    await resume(ctx, params.id)
    return showSubscription(ctx, params.id)
  },
  payRenewal: (ctx, { params, body }) => payRenewal(ctx, params.id, body),
  devices: async (ctx, { query }) =>
    presentPage(query, await pageOfSubscribed(ctx, query), presentSubscribed(ctx.locale)),
  searchDevices: async (ctx, { query }) =>
    presentPage(query, await pageOfSubscribed(ctx, query), presentSubscribed(ctx.locale)),
  unlicensed: async (ctx, { query }) => presentPage(query, await pageOfUnlicensed(ctx, query), presentUnlicensed),
  placeDevice: async (ctx, { params }) => presentPlace(ctx, await placeDevice(ctx, params.id, params.deviceId)),
  cancelDevice: async (ctx, { params }) => presentPlace(ctx, await cancelDevice(ctx, params.id, true)),
  keepDevice: async (ctx, { params }) => presentPlace(ctx, await cancelDevice(ctx, params.id, false)),
  async licence(ctx, { body }) {
    const row = orNotFound(await findLicence(ctx, deviceIdOf(body.licenceId)))
    const devices = await devicesOfLicence(ctx, row.id)
    return {
      ...presentLicence(row, ctx.clock.now(), ctx.locale),
      devicesOf: devices.map(({ id, name }) => ({ id: String(id), name })),
    }
  },
}
