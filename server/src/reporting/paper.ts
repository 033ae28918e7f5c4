import { createRequire } from 'node:module'
import type PDFDocument from 'pdfkit'
import { rememberLayouts } from './laid-out.ts'
import type { Words } from './words.ts'

const fonts = createRequire(import.meta.url)
const fontFile = (name: string) => fonts.resolve(`@expo-google-fonts/inter/${name}.ttf`)

export const ink = '#14191f'
export const dim = '#5c6670'
export const line = '#d5dbe1'
export const wash = '#f2f5f7'
/** As on the screen: teal in range, amber incomplete, red above, blue below, grey unknown. */
export const tones = { ok: '#0b6e66', warning: '#8f5200', warm: '#c0272d', cold: '#1d5fc4', none: dim }

/** A4, in points. */
export const sheet = { width: 595.28, height: 841.89, left: 42, right: 42, top: 64, bottom: 58 }
export const textWidth = sheet.width - sheet.left - sheet.right
export const lowest = sheet.height - sheet.bottom

export type Doc = InstanceType<typeof PDFDocument>

/** The header and footer of every page. */
export interface Frame {
  head: string
  foot: string
  /** Null while they are being counted; 'open' where nobody can know before they are written. */
  total: number | null | 'open'
}

/** Sheets of paper, filled from above: `y` is where the next thing goes. */
export interface Paper {
  doc: Doc
  /** PNG of the company that hands the document out. */
  logo: Uint8Array | null
  words: Words
  y: number
  pages: number
  newPage(): void
  /** Makes room for something this high, on a new page if need be. */
  room(height: number): void
}

/** A document that streams; its pages are gone from memory as soon as the next one begins. The first of a process loads what writes PDFs, some 10 MB. */
export async function openPaper(
  words: Words,
  info: { title: string; author: string; locale: string; createdAt?: Date; logo?: Uint8Array | null },
  frame: Frame,
): Promise<Paper> {
  const { default: Document } = await import('pdfkit')
  const doc = new Document({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    lang: info.locale,
    displayTitle: true,
    info: {
      ...{ Title: info.title, Author: info.author, Creator: 'Isotherm', Producer: 'Isotherm' },
      // Else it is now, and no two documents are alike.
      ...(info.createdAt ? { CreationDate: info.createdAt } : {}),
    },
  })
  doc.registerFont('text', fontFile('400Regular/Inter_400Regular'))
  doc.registerFont('strong', fontFile('600SemiBold/Inter_600SemiBold'))
  for (const name of ['text', 'strong']) rememberLayouts(doc.font(name))
  const paper: Paper = {
    doc,
    logo: info.logo ?? null,
    words,
    y: 0,
    pages: 0,
    newPage() {
      doc.addPage()
      paper.pages += 1
      printFrame(paper, frame)
      paper.y = sheet.top
    },
    room(height) {
      if (paper.y + height > lowest) paper.newPage()
    },
  }
  return paper
}

function printFrame({ doc, pages, words }: Paper, { head, foot, total }: Frame) {
  const one = { lineBreak: false, ellipsis: true, height: 10, features: tabular }
  doc.font('text').fontSize(7.5).fillColor(dim)
  if (pages > 1) {
    doc.text(head, sheet.left, 34, { ...one, width: textWidth })
    rule(doc, 48)
  }
  rule(doc, sheet.height - 44)
  doc.fillColor(dim)
  doc.text(foot, sheet.left, sheet.height - 36, { ...one, width: textWidth - 60 })
  const number = total === 'open' ? String(pages) : words.t('page', { page: pages, total: total ?? pages })
  doc.text(number, sheet.width - sheet.right - 60, sheet.height - 36, {
    ...one,
    width: 60,
    align: 'right',
    lineBreak: true,
  })
}

/** Figures of one width, with room around the point: "27.5" must not read as 275. */
export const tabular: PDFKit.Mixins.OpenTypeFeatures[] = ['tnum']

export const rule = (doc: Doc, y: number) =>
  doc
    .moveTo(sheet.left, y)
    .lineTo(sheet.width - sheet.right, y)
    .lineWidth(0.5)
    .strokeColor(line)
    .stroke()

const aboveHeading = 12
const headingHeight = 18

/** A heading, never the last thing on a page: `below` is the least that must follow. */
export function heading(paper: Paper, text: string, below = 60) {
  paper.room(aboveHeading + headingHeight + below)
  paper.y += aboveHeading
  paper.doc.font('strong').fontSize(10.5).fillColor(ink).text(text, sheet.left, paper.y, { width: textWidth })
  paper.y += headingHeight
}

const belowParagraph = 4

/** How high a paragraph is, with the room below it. */
export function paragraphHeight({ doc }: Paper, text: string, size = 8): number {
  doc.font('text').fontSize(size)
  return doc.heightOfString(text, paragraphOptions) + belowParagraph
}

const paragraphOptions = { width: textWidth, features: tabular }

/** The room for content on a page that nothing else is on. */
const pageRoom = lowest - sheet.top

/**
 * The part of a text that is at most so high, of whole words where it can be, and what is left of it. In the font that is set. pdfkit would
 * begin a page of its own, without header, footer and number.
 */
export function partedAt(doc: Doc, text: string, options: PDFKit.Mixins.TextOptions, most: number): [string, string] {
  const fits = (length: number) => doc.heightOfString(text.slice(0, length), options) <= most
  if (fits(text.length)) return [text, '']
  let [some, tooMany] = [1, text.length]
  while (tooMany - some > 1) {
    const between = (some + tooMany) >> 1
    if (fits(between)) some = between
    else tooMany = between
  }
  const space = Math.max(text.lastIndexOf(' ', some - 1), text.lastIndexOf('\n', some - 1))
  const isWithinSign = /^[\udc00-\udfff]/.test(text.slice(some))
  const at = space > 0 ? space + 1 : some + (isWithinSign ? 1 : 0)
  return [text.slice(0, at).trimEnd(), text.slice(at)]
}

/** A paragraph over the whole width; one that no page holds goes on from page to page. */
export function paragraph(paper: Paper, text: string, { size = 8, color = dim } = {}) {
  const height = paragraphHeight(paper, text, size)
  paper.room(height)
  // A new page has a font of its own.
  paper.doc.font('text').fontSize(size)
  const most = lowest - paper.y - belowParagraph
  const [part, rest] = height <= pageRoom ? [text, ''] : partedAt(paper.doc, text, paragraphOptions, most)
  paper.doc.fillColor(color).text(part, sheet.left, paper.y, paragraphOptions)
  paper.y += rest === '' ? height : lowest - paper.y
  if (rest !== '') paragraph(paper, rest, { size, color })
}
