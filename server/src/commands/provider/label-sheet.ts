import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import PDFDocument from 'pdfkit'
import { type Doc, ink, sheet } from '../../reporting/paper.ts'
import { printQr } from '../../reporting/qr.ts'
import { UsageError } from './usage-error.ts'

/** The label of a tracker: the code as it is printed, `XXXX-XXXX-XXXX`. */
export interface Label {
  imei: string
  code: string
}

// Sheets of 3 x 8 labels of 70 x 36 mm, the middle of A4, in points.
const mm = 72 / 25.4
const columns = 3
const perSheet = 24
const label = { width: 70 * mm, height: 36 * mm }
const top = (sheet.height - (perSheet / columns) * label.height) / 2
const qrSide = 26 * mm
const margin = 5 * mm

/** Where a label's QR code leads: the screen that sets a device up. Behind `#`, no server and no log ever sees the code. */
export const labelLink = (publicUrl: string, { imei, code }: Label): string =>
  `${publicUrl}/devices/setupdevice/new#imei=${imei}&code=${code}`

/** Writes a PDF of labels. Throws a UsageError where the file is there already or cannot be written. */
export async function writeLabels(path: string, publicUrl: string, labels: readonly Label[]): Promise<void> {
  const doc = new PDFDocument({ size: 'A4', margin: 0, autoFirstPage: false, info: { Title: 'Labels' } })
  // Codes are kept nowhere else: a sheet of before must not be overwritten.
  const file = await open(path, 'wx', 0o600).catch((error: Error) => {
    throw new UsageError(`${path} cannot be written: ${error.message}`)
  })
  try {
    const written = pipeline(doc, file.createWriteStream())
    for (const [index, one] of labels.entries()) {
      if (index % perSheet === 0) doc.addPage()
      const within = index % perSheet
      const left = (within % columns) * label.width
      printLabel(doc, one, publicUrl, left, top + Math.floor(within / columns) * label.height)
    }
    doc.end()
    await written
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

function printLabel(doc: Doc, one: Label, publicUrl: string, left: number, above: number) {
  printQr(doc, labelLink(publicUrl, one), left + margin, above + margin, qrSide)
  const beside = left + margin + qrSide + 3 * mm
  const width = left + label.width - beside - 2 * mm
  const text = (what: string, font: string, size: number, below: number) =>
    doc
      .font(font)
      .fontSize(size)
      .fillColor(ink)
      .text(what, beside, above + below * mm, { width, lineBreak: false })
  text('IMEI', 'Helvetica', 6, 7)
  text(one.imei, 'Helvetica-Bold', 9, 9.5)
  text('CODE', 'Helvetica', 6, 17)
  text(one.code, 'Helvetica-Bold', 9, 19.5)
}
