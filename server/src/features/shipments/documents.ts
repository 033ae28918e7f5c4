import type { NewShipmentDocument } from '@isotherm/contract/shipment-calls.ts'
import { shipmentLimits } from '@isotherm/contract/shipments.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import { shipmentActContext } from '../../core/shipments/acts/act-context.ts'
import { noteShipmentEvent, shipmentTarget } from '../../core/shipments/acts/note-event.ts'
import type { ShipmentDocumentRow } from '../../core/shipments/document-queries.ts'
import { lockShipment } from '../../core/shipments/shipment-queries.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, invalidField, orNotFound } from '../../platform/errors/app-error.ts'
import { judgeFile } from '../../platform/files/file-type.ts'
import { isXlsx } from '../../platform/files/spreadsheets.ts'
import { type Uploads, useUpload } from '../../platform/files/uploads.ts'
import { refuseInfected } from '../../platform/files/virus-scan.ts'
import { storedFile } from '../../platform/http/stored-file.ts'
import type { Services } from '../../platform/services.ts'
import { findDocument, insertDocument, numbersOf, setRemoved } from './documents-queries.ts'

const contentTypes: Record<string, string> = {
  ...{ pdf: 'application/pdf', png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp', csv: 'text/csv' },
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** The type of a file by its content, with which its name must agree. Throws FILE_REFUSED or FILE_MISNAMED. */
function typeOf(name: string, bytes: Buffer): string {
  if (isXlsx(bytes)) {
    if (name.toLowerCase().endsWith('.xlsx')) return 'xlsx'
    throw new AppError('FILE_MISNAMED', { found: 'XLSX' })
  }
  const judged = judgeFile(name, bytes)
  if ('refused' in judged)
    throw new AppError(judged.refused === 'type' ? 'FILE_REFUSED' : 'FILE_MISNAMED', { found: judged.found })
  if (!(judged.type in contentTypes)) throw new AppError('FILE_REFUSED', { found: judged.type.toUpperCase() })
  return judged.type
}

/** Before the call's transaction: stores a document. Throws FILE_REFUSED, FILE_MISNAMED, FILE_INFECTED or STORAGE_LOW. */
export async function storeDocument(upload: File, uploads: Uploads, { config, disk }: Services): Promise<void> {
  const bytes = Buffer.from(await upload.arrayBuffer())
  const type = typeOf(upload.name.trim(), bytes)
  if (config.clamd) await refuseInfected(config.clamd, bytes)
  await disk.refuseLow()
  await uploads.keep(upload, 'shipment-documents', type, bytes)
}

/**
 * Adds a document that was stored to a shipment, also to one that is over, or a new version of one. Throws NOT_FOUND, SHIPMENT_FULL,
 * QUOTA_EXCEEDED, or VALIDATION for a number that no document has.
 */
export async function addDocument(
  ctx: Context,
  shipmentId: string,
  { file: upload, kind, title, documentNo }: NewShipmentDocument,
): Promise<ShipmentDocumentRow> {
  const shipment = await lockShipment(ctx, shipmentId)
  const { last, kept, version } = await numbersOf(ctx, shipmentId, documentNo)
  if (kept >= shipmentLimits.documents) throw new AppError('SHIPMENT_FULL', { limit: shipmentLimits.documents })
  if (documentNo !== undefined && version === null) throw invalidField('documentNo', 'rule.unknownItem')
  const { key, type, sizeBytes, sha256 } = useUpload(upload)
  await refuseOverQuota(ctx, 'fileMb', sizeBytes / 1e6)
  const row = await insertDocument(ctx, {
    ...{ shipment_id: shipmentId, document_no: documentNo ?? last + 1, version: (version ?? 0) + 1, kind, title, type },
    ...{ file_key: key, size_bytes: sizeBytes, sha256 },
    ...{ added_at: ctx.clock.now(), added_by: ctx.person.id, added_by_name: ctx.person.fullname },
  })
  const facts = { kind, title, version: row.version, sha256: sha256.toString('hex') }
  await noteShipmentEvent(shipmentActContext(ctx), shipment, { kind: 'documentAdded', detail: facts })
  ctx.audit({ action: 'shipments.documentAdded', target: shipmentTarget(shipment), after: facts })
  return row
}

/** The content of a document, to be saved under a name of ours. Throws NOT_FOUND. */
export async function readDocument(ctx: Context, id: string) {
  const row = orNotFound(await findDocument(ctx, id))
  const filename = `shipment-${row.shipment_id}-${row.kind}-v${row.version}.${row.type}`
  const contentType = contentTypes[row.type] ?? 'application/octet-stream'
  return storedFile(ctx.services.config, row.file_key, { filename, contentType })
}

/** Takes a document away; its hash stays in the trail. Throws NOT_FOUND. */
export async function removeDocument(ctx: Context, id: string): Promise<void> {
  const row = orNotFound(await findDocument(ctx, id))
  const shipment = await lockShipment(ctx, row.shipment_id)
  if (!(await setRemoved(ctx, id))) throw new AppError('NOT_FOUND')
  const facts = { kind: row.kind, title: row.title, version: row.version, sha256: row.sha256.toString('hex') }
  await noteShipmentEvent(shipmentActContext(ctx), shipment, { kind: 'documentRemoved', detail: facts })
  ctx.audit({ action: 'shipments.documentRemoved', target: shipmentTarget(shipment), before: facts })
}
