import type { Period } from '@isotherm/contract/common.ts'
import { Carriage, type NoticePeriods } from '@isotherm/contract/order-evidence.ts'
import type { ShipmentDetails } from '@isotherm/contract/shipments.ts'
import type { DeviceReader } from '../../core/devices/device-reader.ts'
import { seenDevicesOf } from '../../core/shipments/card-queries.ts'
import { documentsOf } from '../../core/shipments/document-queries.ts'
import { shipmentNotice } from '../../core/shipments/notice.ts'
import type { Context } from '../../platform/context.ts'
import { type FileKey, openFiles } from '../../platform/files/files.ts'
import { type ClaimParts, type ClaimStretch, claimDevices, type KeptFile } from '../../reporting/claims/claim-parts.ts'
import { gatherShipment, type ShipmentContent } from './report-content.ts'
import type { ShipmentReportRow } from './report-queries.ts'

/** Everything that the claim pack of a shipment tells but the readings. */
export interface ClaimContent extends ShipmentContent, ClaimParts {
  notice: NoticePeriods
}

/** Gathers a claim pack as the person sees the shipment now; throws NOT_FOUND. */
export async function gatherClaim(ctx: Context, reader: DeviceReader, row: ShipmentReportRow): Promise<ClaimContent> {
  const content = await gatherShipment(ctx, reader, row)
  return {
    ...content,
    notice: await shipmentNotice(ctx, row.shipment_id, Carriage.parse(row.carriage)),
    devices: await claimDevices(
      ctx,
      reader,
      await countedDevices(ctx, row.shipment_id, content.period),
      content.period,
    ),
    stretches: stretchesOf(content),
    events: content.shipment.events.map(eventOf),
    files: await newestDocuments(ctx, row.shipment_id),
  }
}

/** The devices of a shipment with the part of a period that counts of each. */
async function countedDevices(ctx: Context, shipmentId: string, { from, to }: Period) {
  const devices = await seenDevicesOf(ctx, shipmentId)
  return devices.flatMap(({ device_id, name, since, until }) => {
    const own = { from: later(from, since.toISOString()), to: earlier(to, until.toISOString()) }
    return own.from <= own.to ? [{ id: String(device_id), name, own }] : []
  })
}

const later = (a: string, b: string) => (Date.parse(a) < Date.parse(b) ? b : a)
const earlier = (a: string, b: string) => (Date.parse(a) < Date.parse(b) ? a : b)

const stretchesOf = ({ custody }: ShipmentContent): ClaimStretch[] =>
  (custody?.stretches ?? []).flatMap(({ holder, from, to, basis, devices }) =>
    devices.map(({ name: device, outsideMs: outMs }) => ({
      ...{ device, holder: holder.kind, name: holder.name, from: Date.parse(from), to: Date.parse(to), basis, outMs },
    })),
  )

const eventOf = (event: ShipmentDetails['events'][number]) => ({
  ...{ at: Date.parse(event.occurredAt), recordedAt: Date.parse(event.recordedAt), zone: event.timezone },
  ...{ kind: event.kind, source: event.source, by: event.byName, place: event.placeName ?? event.portCode },
  detail: JSON.stringify({
    ...event.detail,
    ...(event.isCorrected && !event.withdrawn && { corrected: true }),
    ...(event.withdrawn && { withdrawn: event.withdrawn }),
  }),
})

/** The keys of the files that the claim pack of a shipment has in it. */
export const filesOfClaim = async (ctx: Context, { shipment_id }: ShipmentReportRow): Promise<FileKey[]> =>
  (await documentsOf(ctx, shipment_id)).map(({ file_key }) => file_key)

/** The newest version of each document, as it came. */
async function newestDocuments(ctx: Context, shipmentId: string): Promise<KeptFile[]> {
  const { placeOf } = openFiles(ctx.services.config)
  const byDocument = Map.groupBy(await documentsOf(ctx, shipmentId), ({ document_no: number }) => number)
  const files: KeptFile[] = []
  for (const [number, [newest]] of byDocument)
    if (newest)
      files.push({
        name: `documents/${number}-${newest.kind}-v${newest.version}.${newest.type}`,
        ...{ path: placeOf(newest.file_key), sha256: newest.sha256.toString('hex') },
      })
  return files
}
