import { z } from 'zod'
import { file, get, post } from './call.ts'
import { Id, Instant, namedFile } from './common.ts'

/** Figures of files of many rows that browser and server agree on. */
export const bulkLimits = {
  rows: 10_000,
  /** Bytes of a file. */
  bytes: 5 * 1024 * 1024,
  /** Faults that an answer lists; all of them are in the marked workbook. */
  errors: 500,
  /** Rows that a preview shows. */
  previewRows: 10,
  /** Uploads of a company in 24 hours, dry runs among them. */
  perDay: 200,
} as const

/** The things that files add. */
export const bulkKinds = ['shipments', 'orders'] as const
export type BulkKindName = (typeof bulkKinds)[number]

/** How days are written in a file: 2026-06-24 is always understood; 24/06/2026 and 06/24/2026 where it is said which. */
export const DateOrder = z.enum(['iso', 'dmy', 'mdy'])
export type DateOrder = z.infer<typeof DateOrder>

/**
 * waiting and working: on its way. ready: a dry run without faults. stored: every row was added. refused: something is wrong, and nothing was
 * added. failed: it could not be read to the end, and nothing was added.
 */
export const BulkState = z.enum(['waiting', 'working', 'ready', 'stored', 'refused', 'failed'])
export type BulkState = z.infer<typeof BulkState>

export const BulkFault = z.object({
  /** As a spreadsheet counts; null: of the file as a whole. */
  row: z.number().int().nullable(),
  /** Its name in the API; null: of the whole row. */
  column: z.string().nullable(),
  /** Its heading, in the caller's language. */
  heading: z.string().nullable(),
  code: z.string(),
  /** In the caller's language. */
  message: z.string(),
  /** As it stands in the file. */
  value: z.string().nullable(),
})
export type BulkFault = z.infer<typeof BulkFault>

export const BulkUpload = z.object({
  id: Id,
  fileName: z.string(),
  /** Hexadecimal. */
  sha256: z.string(),
  isDryRun: z.boolean(),
  state: BulkState,
  /** Percent. */
  progress: z.number().int(),
  /** Null before they are counted. */
  rows: z.number().int().nullable(),
  /** How many things its rows are: several rows may be one order. Null before all of them are right. */
  makes: z.number().int().nullable(),
  errorCount: z.number().int(),
  /** The first of them. */
  errors: z.array(BulkFault),
  hasMarkedBook: z.boolean(),
  /** Rows that may be copies of one another, or of what is there: they refuse nothing. */
  warningCount: z.number().int(),
  /** The first of them. */
  warnings: z.array(BulkFault),
  /** The sheet that was read, the encoding of a text, rows that a filter hides, further sheets that were not read. */
  source: z
    .object({
      sheet: z.string().nullable(),
      encoding: z.string().nullable(),
      hiddenRows: z.number().int(),
      otherSheets: z.number().int(),
    })
    .nullable(),
  /** The first rows as they are understood. `inFile`: what the cell says, where that differs; empty where it says nothing. */
  preview: z
    .object({
      headings: z.array(z.string()),
      rows: z.array(z.array(z.string())),
      inFile: z.array(z.array(z.string().nullable())),
    })
    .nullable(),
  /** When the rows of the same file were added before. */
  storedBefore: Instant.nullable(),
  /** Names of the first and the last that were added. */
  first: z.string().nullable(),
  last: z.string().nullable(),
  createdAt: Instant,
  settledAt: Instant.nullable(),
})
export type BulkUpload = z.infer<typeof BulkUpload>

const NewUpload = z.strictObject({
  file: namedFile(bulkLimits.bytes),
  dateOrder: DateOrder.default('iso'),
  /** Cells of a workbook that are merged over several rows count for each of them; otherwise they are a fault. */
  fillMerged: z.enum(['true', 'false']).default('false'),
})
export type NewUpload = z.infer<typeof NewUpload>
/** With `dryRun=true` everything is checked and nothing is added. */
const UploadQuery = z.strictObject({ dryRun: z.enum(['true', 'false']).default('false') })
const TemplateQuery = z.strictObject({ format: z.enum(['xlsx', 'csv']).default('xlsx') })
export type TemplateQuery = z.infer<typeof TemplateQuery>

const needs = { needs: 'dispatch.addOrEdit' } as const
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const upload = {
  ...needs,
  begins: 'other',
  // The job that adds the rows notes them.
  auditOptional: true,
  query: UploadQuery,
  body: NewUpload,
  bodyKind: 'form',
  // The file, and what stands around it.
  maxBodyBytes: bulkLimits.bytes + 65_536,
  returns: BulkUpload,
} as const
const template = { ...needs, query: TemplateQuery, returns: file(sheetType) } as const
const marked = { ...needs, returns: file(sheetType) } as const

export const shipmentUploads = {
  template: get('/export/shipments/bulk-template', {
    ...template,
    summary: 'An empty file for shipments, with headings in the caller’s language',
  }),
  upload: post('/export/shipments/bulk-upload', {
    ...upload,
    summary: 'Adds the shipments of a CSV or XLSX file, all or none, in the background',
  }),
  one: get('/export/shipment-uploads/:id', {
    ...needs,
    summary: 'How far an upload of shipments is, and what is wrong in its file',
    returns: BulkUpload,
  }),
  marked: get('/export/shipment-uploads/:id/marked', {
    ...marked,
    summary: 'The file of an upload of shipments as a workbook, with the wrong cells marked',
  }),
}

export const orderUploads = {
  template: get('/dispatch/orders/bulk-template', {
    ...template,
    summary: 'An empty file for orders, with headings in the caller’s language',
  }),
  upload: post('/dispatch/orders/bulk-upload', {
    ...upload,
    summary: 'Adds the orders of a CSV or XLSX file, all or none, in the background',
  }),
  one: get('/dispatch/order-uploads/:id', {
    ...needs,
    summary: 'How far an upload of orders is, and what is wrong in its file',
    returns: BulkUpload,
  }),
  marked: get('/dispatch/order-uploads/:id/marked', {
    ...marked,
    summary: 'The file of an upload of orders as a workbook, with the wrong cells marked',
  }),
}
