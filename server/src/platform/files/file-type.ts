import type { RecordAttachment } from '@isotherm/contract/records.ts'
import { isJpeg, isPng, isWebp } from './pictures.ts'

type Type = RecordAttachment['type']

/** The endings that a file's name may have, by content. */
const endings: Record<Type, readonly string[]> = {
  png: ['png'],
  jpg: ['jpg', 'jpeg'],
  webp: ['webp'],
  pdf: ['pdf'],
  csv: ['csv'],
  txt: ['txt', 'log', 'md'],
}

const ascii = (bytes: Buffer, from: number, to: number) => bytes.subarray(from, to).toString('latin1')

/** A picture or a PDF that is built as one from its first bytes to its last; null where it is none. */
function binaryType(bytes: Buffer): Type | null {
  if (isPng(bytes)) return 'png'
  if (isJpeg(bytes)) return 'jpg'
  if (isWebp(bytes)) return 'webp'
  if (/^%PDF-\d\.\d/.test(ascii(bytes, 0, 8)) && bytes.includes('%%EOF')) return 'pdf'
  return null
}

const controls = /[^\P{Cc}\t\n\r]/u

/** Text of a person or a spreadsheet: UTF-8 without control characters. Null of anything else. */
function textOf(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return controls.test(text) ? null : text
  } catch {
    return null
  }
}

// Content that a browser would run or draw if it guessed by the content.
const markup = /<\s*(?:!doctype|html|head|body|script|svg|iframe|object|embed|img|meta|link|style|form|a\s|\?xml)/i

/** How something that is not taken is called: by its content, not its name. */
function foundIn(bytes: Buffer, text: string | null): string {
  if (text !== null && markup.test(text)) return 'HTML'
  if (ascii(bytes, 0, 2) === 'PK') return 'ZIP'
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'GZIP'
  if (ascii(bytes, 0, 3) === 'GIF') return 'GIF'
  if (ascii(bytes, 0, 2) === 'MZ' || ascii(bytes, 1, 4) === 'ELF') return 'EXE'
  return '?'
}

export type Judged = { type: Type } | { refused: 'type' | 'name'; found: string }

/** Detects the type of a file by its content; its name must agree. Nothing is unpacked: archives are refused as they are. */
export function judgeFile(name: string, bytes: Buffer): Judged {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const binary = binaryType(bytes)
  if (binary)
    return endings[binary].includes(ending) ? { type: binary } : { refused: 'name', found: binary.toUpperCase() }
  const text = textOf(bytes)
  if (text === null || markup.test(text)) return { refused: 'type', found: foundIn(bytes, text) }
  const type = (['csv', 'txt'] as const).find((one) => endings[one].includes(ending))
  return type ? { type } : { refused: 'name', found: 'TXT' }
}

export const contentTypes: Record<Type, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
  csv: 'text/csv',
  txt: 'text/plain',
}
