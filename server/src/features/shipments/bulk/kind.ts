import pg from 'pg'
import type { BulkKind } from '../../../core/bulk/bulk-kind.ts'
import { findCompany } from '../../../core/company/company.ts'
import { portsOf } from '../../../core/ports/ports.ts'
import { refuseOverQuota, refuseWithoutRoom } from '../../../core/quotas/quotas.ts'
import { announceShipment } from '../../../core/shipments/announce-shipment.ts'
import { insertShipments } from '../../../core/shipments/insert-queries.ts'
import { showShipmentNumber } from '../../../domain/shipment-number.ts'
import {
  devicesByImei,
  endsNamed,
  namesToChoose,
  openCarriages,
  partnersNamed,
  takenReferences,
} from '../check-queries.ts'
import type { BulkShipmentFacts, ShipmentAsk } from './rules.ts'

/** A template offers so many names of a kind: a list of more is no list. */
const maxNames = 500

const quotas = ['openShipments', 'shipmentsPerDay'] as const

/** Files of shipments. */
export const shipmentBulk: BulkKind<ShipmentAsk, BulkShipmentFacts> = {
  name: 'shipments',
  needs: 'dispatch.addOrEdit',
  rules: new URL('./rules.ts', import.meta.url),
  async facts(ctx, ask) {
    for (const quota of quotas) await refuseWithoutRoom(ctx, quota, ask.shipments)
    return {
      now: ctx.clock.now(),
      companyZone: (await findCompany(ctx.tx, ctx.companyId)).timezone,
      by: { id: ctx.person.id, name: ctx.person.fullname },
      origins: await endsNamed(ctx, 'origin', ask.origins),
      destinations: await endsNamed(ctx, 'destination', ask.destinations),
      partners: await partnersNamed(ctx, ask.partners),
      ports: await portsOf(ctx.tx, ask.ports),
      devices: await devicesByImei(ctx, ask.imeis),
      taken: await takenReferences(ctx, ask.references),
      open: await openCarriages(ctx, ask),
    }
  },
  async store(ctx, rows, count) {
    for (const quota of quotas) await refuseOverQuota(ctx, quota, count)
    return insertShipments(ctx, rows, count, { id: ctx.person.id, name: ctx.person.fullname, at: ctx.clock.now() })
  },
  showNumber: showShipmentNumber,
  // Lists and summaries ask anew, whatever the id.
  announce: (ctx) => announceShipment(ctx, '0'),
  takenBy: (error) =>
    error instanceof pg.DatabaseError && error.constraint === 'shipments_reference' ? 'reference' : null,
  audited: 'shipments.uploaded',
  names: (ctx) => namesToChoose(ctx, maxNames),
}
