/** Every column that names a file of the store. A file that none of them names is an orphan, and is removed after a day. */
export const fileColumns = {
  bulk_uploads: ['file_key', 'marked_key'],
  calibrations: ['file_key'],
  cold_treatment_records: ['file_key'],
  companies: ['logo_key'],
  device_reports: ['file_key'],
  epcis_pushes: ['file_key'],
  group_reports: ['file_key'],
  handover_photos: ['file_key'],
  handovers: ['signature_key', 'receipt_key'],
  invoice_files: ['file_key'],
  order_claims: ['file_key'],
  order_insurances: ['certificate_key'],
  record_attachments: ['file_key'],
  report_files: ['file_key'],
  shipment_documents: ['file_key'],
  shipment_reports: ['file_key'],
} as const
