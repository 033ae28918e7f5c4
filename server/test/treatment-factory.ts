import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { insertShipment } from '../src/core/shipments/insert-queries.ts'
import { insertShipmentEvent } from '../src/core/shipments/shipment-queries.ts'
import { protocolOf } from '../src/domain/cold-protocols.ts'
import { putTreatment } from '../src/features/cold-treatments/queries.ts'
import { openFiles } from '../src/platform/files/files.ts'
import { changing } from './changed.ts'
import { buildCompany, type Stage } from './factories.ts'
import type { TestApp } from './harness.ts'

interface TreatedOptions {
  companyId?: number
  /** Devices in fruit, as pulp1, pulp2 and so on. */
  probes?: readonly number[]
  air?: readonly number[]
  startedAt?: Date | null
  eta?: Date | null
  /** The treatment that is chosen; left out: none. */
  protocolId?: string
}

let count = 0

/** A shipment from Cape Town to Rotterdam by sea; ongoing where it has started, loaded at that instant. */
export async function aTreatedShipment(
  test: Stage,
  given: TreatedOptions = {},
): Promise<{ id: string; companyId: number }> {
  const companyId = given.companyId ?? (await buildCompany(test)).companyId
  const { probes = [], air = [], startedAt = null, eta = null, protocolId } = given
  const now = test.clock.now()
  count += 1
  const number = count
  return changing(test.pool, companyId, async ({ tx }) => {
    const ctx = { tx, companyId }
    const placeOf = async (kind: 'origin' | 'destination', name: string, country: string, timezone: string) => {
      const { id } = await tx
        .insertInto('shipment_places')
        .values({
          company_id: companyId,
          kind,
          name: `${name} ${number}`,
          country,
          zone: timezone,
          created_at: now,
          updated_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const rest = {
        region: null,
        personOfContact: null,
        companyName: null,
        address: null,
        lat: null,
        lon: null,
        radiusM: null,
      }
      return { ...rest, id, name, country, timezone }
    }
    const origin = await placeOf('origin', 'Citrusdal pack house', 'ZA', 'Africa/Johannesburg')
    const destination = await placeOf('destination', 'Rotterdam importer', 'NL', 'Europe/Amsterdam')
    const places = [
      ...probes.map((device, index) => ({ device, place: `pulp${index + 1}` })),
      ...air.map((device) => ({ device, place: 'air' })),
    ]
    const { id } = await insertShipment(
      ctx,
      {
        ...{ state: startedAt ? 'ongoing' : 'pending', logistics: 'external' },
        ...{ product: 'Oranges', variety: 'Navel', pallets: 20, started_at: startedAt },
        ...{ origin_id: origin.id, origin: JSON.stringify(origin) },
        ...{ destination_id: destination.id, destination: JSON.stringify(destination) },
        ...{ created_at: now, created_by: '1', created_by_name: 'Somebody', updated_at: now },
      },
      [
        {
          ...{ mode: 'sea', from_port: 'ZACPT', to_port: 'NLRTM', from_name: 'Cape Town', to_name: 'Rotterdam' },
          ...{ from_zone: origin.timezone, to_zone: destination.timezone, vessel_name: 'Cap San Lorenzo' },
          ...{ imo: '9622227', voyage: '436N', container_no: 'MSCU1234566', seal_no: 'ZA998877', etd: startedAt, eta },
        },
      ],
      places.map(({ device, place }) => ({ device_id: device, place })),
    )
    if (startedAt)
      await insertShipmentEvent(ctx, {
        ...{ shipment_id: id, kind: 'loaded', occurred_at: startedAt, occurred_zone: origin.timezone },
        ...{ recorded_at: now, source: 'person' },
      })
    const protocol = protocolId && protocolOf(protocolId)
    if (protocol) await putTreatment(ctx, { shipmentId: id, protocol, by: 'Somebody', now }, undefined)
    return { id, companyId }
  })
}

/** A monitoring record that is ready, with its file. */
export async function aMonitoringRecord(test: TestApp, { companyId }: { companyId: number }): Promise<{ id: string }> {
  const shipment = await aTreatedShipment(test, { companyId })
  const file = await openFiles(test.services.config).begin('monitoring-records', 'pdf')
  await writeFile(file.path, '%PDF-1.7 %%EOF')
  await file.keep()
  const now = test.clock.now()
  return changing(test.pool, companyId, ({ tx }) =>
    tx
      .insertInto('cold_treatment_records')
      .values({
        ...{ company_id: companyId, shipment_id: shipment.id, shipment_number: 1, contents: ['readings'] },
        ...{ period_from: new Date(now.getTime() - 3_600_000), period_to: now, timezone: 'UTC', locale: 'en' },
        ...{ requested_by: '1', requested_by_name: 'Somebody', created_at: now, device_ids: [], format: 'pdf' },
        ...{ state: 'ready', progress: 100, finished_at: now },
        ...{ file_key: file.key, file_sha256: randomBytes(32), size_bytes: '15' },
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
}
