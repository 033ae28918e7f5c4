import { writeXlsx } from 'hucre/xlsx'

/** A workbook of one sheet with these rows. */
export const bookOf = async (rows: string[][]): Promise<Buffer<ArrayBuffer>> =>
  Buffer.from(await writeXlsx({ sheets: [{ name: 'Shipments', rows }] }))
