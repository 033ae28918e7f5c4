import { randomBytes } from 'node:crypto'
import type { BulkKind } from '../../../core/bulk/bulk-kind.ts'
import { announceOrder } from '../../../core/orders/announce-order.ts'
import { currencyOf } from '../../../core/orders/dispatch-settings.ts'
import { insertOrders } from '../../../core/orders/insert-orders.ts'
import { refuseOverQuota, refuseWithoutRoom } from '../../../core/quotas/quotas.ts'
import { trackingCodeOf } from '../../../domain/tracking-code.ts'
import { townCountries } from '../../../platform/gazetteer/nearest-town.ts'
import {
  carriedDevices,
  contactsNamed,
  devicesOnHardware,
  driversNamed,
  namesToChoose,
  vehiclesNamed,
} from '../check-queries.ts'
import { companyFacts } from '../order-facts.ts'
import type { BulkOrderFacts, OrderAsk } from './bulk-facts.ts'

/** A template offers so many names of a kind: a list of more is no list. */
const maxNames = 500

/** Files of orders. */
export const orderBulk: BulkKind<OrderAsk, BulkOrderFacts> = {
  name: 'orders',
  needs: 'dispatch.addOrEdit',
  rules: new URL('./rules.ts', import.meta.url),
  async facts(ctx, ask) {
    for (const quota of ['openOrders', 'ordersPerDay'] as const) await refuseWithoutRoom(ctx, quota, ask.orders)
    const company = await companyFacts(ctx)
    const onHardware = await devicesOnHardware(ctx, ask.imeis)
    const deviceIds = onHardware.map(({ id }) => id)
    return {
      ...{ company, currency: currencyOf(company.settings, company.company), onHardware },
      contacts: await contactsNamed(ctx, ask.contacts),
      drivers: await driversNamed(ctx, ask.drivers),
      vehicles: await vehiclesNamed(ctx, ask.vehicles, ask.plates),
      devices: deviceIds.length > 0 ? await carriedDevices(ctx, deviceIds) : [],
      towns: await townCountries(),
    }
  },
  async store(ctx, orders, count) {
    for (const quota of ['openOrders', 'ordersPerDay'] as const) await refuseOverQuota(ctx, quota, count)
    const by = { id: ctx.person.id, name: ctx.person.fullname, at: ctx.clock.now() }
    await insertOrders(ctx, orders, count, by, () => trackingCodeOf(randomBytes(5)))
    return null
  },
  showNumber: String,
  // Lists and summaries ask anew, whatever the id.
  announce: (ctx) => announceOrder(ctx, '0'),
  takenBy: () => null,
  audited: 'orders.uploaded',
  names: (ctx) => namesToChoose(ctx, maxNames),
}
