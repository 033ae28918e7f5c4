import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type { LegMode, ShipmentEnd, ShipmentState } from '@isotherm/contract/shipments.ts'
import {
  insertShipment,
  type LegDraft,
  type ShipmentDeviceDraft,
  type ShipmentDraft,
} from '../src/core/shipments/insert-queries.ts'
import { type LegRow, legsOf, type ShipmentRow } from '../src/core/shipments/shipment-queries.ts'
import { openFiles } from '../src/platform/files/files.ts'
import { changing } from './changed.ts'
import type { Stage } from './factories.ts'
import type { TestApp } from './harness.ts'

export const capeTown = { lat: -33.906, lon: 18.435 }
export const rotterdam = { lat: 51.95, lon: 4.14 }
type Company = { companyId: number }

let count = 0

export interface MadePlace extends ShipmentEnd {
  kind: 'origin' | 'destination'
}

interface PlaceOptions {
  kind?: 'origin' | 'destination'
  name?: string
  lat?: number | null
  lon?: number | null
  radiusM?: number | null
  gln?: string | null
}

/** A place of the company with a fence: by default in Cape Town as an origin, in Rotterdam as a destination. */
export async function aShipmentPlace(
  test: Stage,
  { companyId }: Company,
  { kind = 'origin', radiusM = 500, ...given }: PlaceOptions = {},
): Promise<MadePlace> {
  count += 1
  const isOrigin = kind === 'origin'
  const { name = `${isOrigin ? 'Pack house' : 'Importer'} ${count}` } = given
  const { lat = (isOrigin ? capeTown : rotterdam).lat, lon = (isOrigin ? capeTown : rotterdam).lon } = given
  const now = test.clock.now()
  const place = {
    ...{ name, region: isOrigin ? 'Western Cape' : 'South Holland', country: isOrigin ? 'ZA' : 'NL', address: null },
    ...{ personOfContact: null, companyName: null, lat, lon, radiusM: lat === null ? null : radiusM },
    ...{ gln: given.gln ?? null, glnUnchecked: false },
    timezone: isOrigin ? 'Africa/Johannesburg' : 'Europe/Amsterdam',
  }
  const { id } = await changing(test.pool, companyId, ({ tx }) =>
    tx
      .insertInto('shipment_places')
      .values({
        ...{ company_id: companyId, kind, name, region: place.region, country: place.country },
        ...{
          lat,
          lon,
          radius_m: place.radiusM,
          zone: place.timezone,
          gln: place.gln,
          created_at: now,
          updated_at: now,
        },
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return { id, kind, ...place }
}

export interface ShipmentOptions {
  state?: ShipmentState
  /** At places of their own; without any the shipment has none. */
  devices?: Partial<ShipmentDeviceDraft>[]
  /** One leg by sea from Cape Town to Rotterdam, in a day, where nothing else is said. */
  legs?: (Partial<LegDraft> & { mode?: LegMode })[]
  origin?: MadePlace
  destination?: MadePlace
  /** Any other columns of the shipment. */
  more?: Partial<ShipmentDraft>
}

export interface MadeShipment extends ShipmentRow {
  legs: LegRow[]
}

const day = 86_400_000

/**
 * A shipment as its verbs leave it: pending, without devices, where nothing else is said. One that is ongoing or completed started an hour
 * ago; it has no record, and no events.
 */
export async function aShipment(test: Stage, company: Company, given: ShipmentOptions = {}): Promise<MadeShipment> {
  const { state = 'pending', devices = [], legs = [{}], more = {} } = given
  const origin = given.origin ?? (await aShipmentPlace(test, company, { kind: 'origin' }))
  const destination = given.destination ?? (await aShipmentPlace(test, company, { kind: 'destination' }))
  const now = test.clock.now()
  const after = (ms: number) => new Date(now.getTime() + ms)
  const { companyId } = company
  return changing(test.pool, companyId, async ({ tx }) => {
    const ctx = { tx, companyId }
    const row = await insertShipment(
      ctx,
      {
        ...{ state, logistics: 'external', product: 'Oranges' },
        ...{ origin_id: origin.id, origin: JSON.stringify(endOf(origin)) },
        ...{ destination_id: destination.id, destination: JSON.stringify(endOf(destination)) },
        country: destination.country,
        ...{ created_at: after(-2 * day), created_by: '1', created_by_name: 'Somebody', updated_at: now },
        ...((state === 'ongoing' || state === 'completed') && { started_at: after(-3_600_000) }),
        ...(state === 'completed' && { ended_at: now }),
        ...(state === 'cancelled' && { cancelled_at: now, cancel_reason: 'Recalled' }),
        ...more,
      },
      legs.map((leg) => ({
        ...{ mode: 'sea', from_name: 'Cape Town', to_name: 'Rotterdam' },
        ...{ from_zone: 'Africa/Johannesburg', to_zone: 'Europe/Amsterdam', etd: after(day), eta: after(18 * day) },
        ...leg,
      })),
      devices.map((device, index) => ({
        ...{ device_id: 0, place: index === 0 ? 'air' : `pulp${index}`, is_running: state === 'ongoing', ...device },
      })),
    )
    return { ...row, legs: await legsOf(ctx, [row.id]) }
  })
}

const endOf = ({ kind: _kind, ...end }: MadePlace): ShipmentEnd => end

/** A document of a shipment, of a new one where none is given, with its file. */
export async function aShipmentDocument(test: TestApp, company: Company & { shipmentId?: string }) {
  const shipment = company.shipmentId ?? (await aShipment(test, company)).id
  const file = await openFiles(test.services.config).begin('shipment-documents', 'pdf')
  await writeFile(file.path, '%PDF-1.7 %%EOF')
  await file.keep()
  return changing(test.pool, company.companyId, ({ tx }) =>
    tx
      .insertInto('shipment_documents')
      .values({
        ...{ company_id: company.companyId, shipment_id: shipment, document_no: 1, version: 1, kind: 'billOfLading' },
        ...{ title: 'Bill of lading', file_key: file.key, type: 'pdf', size_bytes: 15, sha256: randomBytes(32) },
        ...{ added_at: test.clock.now(), added_by: '1', added_by_name: 'Somebody' },
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
}

/** A report of a shipment that is ready, of no device. */
export async function aShipmentReport(test: TestApp, company: Company) {
  const shipment = await aShipment(test, company)
  const file = await openFiles(test.services.config).begin('shipment-reports', 'pdf')
  await writeFile(file.path, '%PDF-1.7 %%EOF')
  await file.keep()
  const now = test.clock.now()
  return changing(test.pool, company.companyId, ({ tx }) =>
    tx
      .insertInto('shipment_reports')
      .values({
        ...{ company_id: company.companyId, shipment_id: shipment.id, number: shipment.number, kind: 'journey' },
        ...{ contents: ['stats'], period_from: now, period_to: now, timezone: 'UTC', locale: 'en', format: 'pdf' },
        ...{ requested_by: '1', requested_by_name: 'Somebody', device_ids: [], state: 'ready', progress: 100 },
        ...{ created_at: now, finished_at: now, file_key: file.key, file_sha256: randomBytes(32), size_bytes: '15' },
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
}
