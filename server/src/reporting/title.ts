import { logoGap, printLogo } from './logo.ts'
import { dim, ink, type Paper, sheet, textWidth, tones } from './paper.ts'
import { printQr } from './qr.ts'

const qrSize = 82

interface Title {
  title: string
  subtitle: string
  /** Where the report is verified, as a code to scan. */
  verifyUrl?: string
}

/** The head of a report's first page. */
export function printTitle(paper: Paper, { title, subtitle, verifyUrl }: Title) {
  const { doc } = paper
  const room = verifyUrl ? textWidth - qrSize - 20 : textWidth
  const logo = printLogo(paper, sheet.left + room, 40)
  const width = logo ? room - logo.width - logoGap : room
  doc.font('strong').fontSize(9).fillColor(tones.ok).text('Isotherm', sheet.left, 42)
  doc.font('strong').fontSize(18).fillColor(ink)
  const height = doc.heightOfString(title, { width })
  doc.text(title, sheet.left, 58, { width })
  doc.font('text').fontSize(10).fillColor(dim)
  doc.text(subtitle, sheet.left, 62 + height, { width })
  paper.y = verifyUrl ? Math.max(62 + height, printCode(paper, verifyUrl)) + 22 : 80 + height
}

function printCode({ doc, words }: Paper, verifyUrl: string): number {
  const left = sheet.width - sheet.right - qrSize
  printQr(doc, verifyUrl, left, 40, qrSize)
  doc.font('text').fontSize(6.5).fillColor(dim)
  doc.text(words.t('scan'), left - 30, 44 + qrSize, { width: qrSize + 30, align: 'right' })
  return 44 + qrSize
}
