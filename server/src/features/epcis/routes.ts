import type { epcis } from '@isotherm/contract/epcis.ts'
import { exportSettingsOf } from '../../core/shipments/export-settings.ts'
import { findShipment } from '../../core/shipments/shipment-queries.ts'
import { showShipmentNumber } from '../../domain/shipment-number.ts'
import { refuseInfected, type Scanner } from '../../platform/files/virus-scan.ts'
import { AfterCommit } from '../../platform/http/after-commit.ts'
import type { Before, Handlers } from '../../platform/http/serve.ts'
import { type EpcisSources, gatherDocument } from './gather.ts'
import { presentCheck, presentPush } from './present.ts'
import { preparePush, retryPush, sendDocument } from './push.ts'
import { pushesOf } from './queries.ts'
import { readDocument } from './read-document.ts'

export const epcisHandlers = (sources: EpcisSources): Handlers<typeof epcis> => ({
  async check(ctx, { params }) {
    const canPush = Boolean((await exportSettingsOf(ctx)).captureUrl)
    return presentCheck(await gatherDocument(ctx, sources, params.id), canPush)
  },
  async download(ctx, { params }) {
    const { document, shipment } = await gatherDocument(ctx, sources, params.id)
    const name = showShipmentNumber(shipment.number)
    ctx.audit({
      ...{ action: 'epcis.exported', target: { kind: 'shipment', id: shipment.id, name } },
      after: { events: document.epcisBody.eventList.length },
    })
    return { body: JSON.stringify(document, null, 1), filename: `${name}-epcis.jsonld` }
  },
  async push(ctx, { params }) {
    const found = await preparePush(ctx, sources, params.id)
    if ('state' in found) return presentPush(found)
    return new AfterCommit(async (keep) =>
      presentPush(await sendDocument(ctx, found, (tx, row) => keep(tx, presentPush(row)))),
    )
  },
  pushes: async (ctx, { params, query }) =>
    (await pushesOf(ctx, (await findShipment(ctx, params.id)).id, query)).map(presentPush),
  retry: async (ctx, { params }) => presentPush(await retryPush(ctx, params.id)),
  read: (ctx, { body }) => readDocument(ctx, body.file),
})

/** Documents are scanned before the call's transaction: a scanner may take its time. */
export const beforeEpcis = (clamd: Scanner | null): Before<typeof epcis> =>
  clamd ? { read: async ({ body }) => refuseInfected(clamd, Buffer.from(await body.file.arrayBuffer())) } : {}
