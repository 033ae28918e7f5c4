import { createHash } from 'node:crypto'
import { insertPush } from '../src/features/epcis/queries.ts'
import { insertLink } from '../src/features/shipment-links/queries.ts'
import { changing } from './changed.ts'
import type { TestApp } from './harness.ts'
import { aShipment } from './shipment-factory.ts'

type Company = { companyId: number }

/** A link of a new shipment, for a month. */
export async function aShipmentLink(test: TestApp, { companyId }: Company): Promise<{ id: string }> {
  const { id: shipmentId } = await aShipment(test, { companyId })
  const now = test.clock.now()
  return changing(test.pool, companyId, ({ tx }) =>
    insertLink(
      { tx, companyId },
      {
        ...{ shipmentId, label: 'Clearing agent', locale: null, showsDocuments: false, now, byName: 'Somebody' },
        expiresAt: new Date(now.getTime() + 30 * 86_400_000),
      },
    ),
  )
}

/** A document of a new shipment that could not be sent. */
export async function anEpcisPush(test: TestApp, { companyId }: Company): Promise<{ id: string }> {
  const { id } = await aShipment(test, { companyId })
  const now = test.clock.now()
  return changing(test.pool, companyId, ({ tx }) =>
    insertPush(
      { tx, companyId },
      {
        ...{ shipment_id: id, state: 'failed', events: 1, url: 'https://capture.example.test/capture' },
        ...{ file_key: `epcis/00/${'0'.repeat(32)}.json`, sha256: createHash('sha256').update('x').digest() },
        ...{ created_at: now, created_by_name: 'Somebody', settled_at: now },
      },
    ),
  )
}
