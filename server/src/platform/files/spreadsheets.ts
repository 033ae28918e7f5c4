/** The names that a workbook of Excel has among its parts. ZIP writes names as they are. */
const parts = ['[Content_Types].xml', 'xl/workbook.xml'].map((name) => Buffer.from(name, 'latin1'))
const macros = Buffer.from('vbaProject.bin', 'latin1')

/** Whether bytes are a workbook of Excel without macros: a ZIP with its parts. Nothing is unpacked. */
export const isXlsx = (bytes: Buffer): boolean =>
  bytes.length > 4 &&
  bytes.readUInt16BE(0) === 0x504b &&
  parts.every((part) => bytes.includes(part)) &&
  !bytes.includes(macros)
