import { createHash } from 'node:crypto'
import type { Mail } from './mailer.ts'

interface Link {
  name: string
  url: string
  /** Beside a button that matters more. */
  isSecond?: boolean
}
interface Picture {
  png: Buffer
  /** In pixels of the screen. */
  width: number
  height: number
  /** Everything that the picture shows, in words. */
  caption: string
}
/** A paragraph, the sentence that matters most, lines that belong together, a button, a list of links, or a picture. */
export type Part =
  | string
  | { lead: string }
  | { lines: readonly string[] }
  | Link
  | { links: readonly Link[] }
  | { picture: Picture }

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const paragraph = (html: string, style = '') => `<p${style && ` style="${style}"`}>${html}</p>`
const anchor = ({ name, url }: Link, style = '') =>
  `<a href="${escapeHtml(url)}"${style && ` style="${style}"`}>${escapeHtml(name)}</a>`

const leadStyle = 'font-size:18px;line-height:1.4;font-weight:600'
const buttonStyle =
  'display:inline-block;padding:12px 20px;border-radius:8px;border:1px solid #1864ab;font-weight:600;text-decoration:none'
const firstStyle = `${buttonStyle};background:#1864ab;color:#ffffff`
const secondStyle = `${buttonStyle};color:inherit`
const captionStyle = 'margin-top:4px;font-size:13px;opacity:0.75'

/** A Content-ID has the form of an address, and two pictures have two: mail programs show those of a conversation side by side. */
const cidOf = ({ png }: Picture, index: number) =>
  `${createHash('sha256').update(png).digest('hex').slice(0, 32)}.${index}@isotherm`

function htmlOf(part: Part, index: number): string {
  if (typeof part === 'string') return paragraph(escapeHtml(part))
  if ('lead' in part) return paragraph(escapeHtml(part.lead), leadStyle)
  if ('lines' in part) return part.lines.map((line) => paragraph(escapeHtml(line), 'margin:4px 0')).join('')
  if ('links' in part) return `<ul>${part.links.map((link) => `<li>${anchor(link)}</li>`).join('')}</ul>`
  if ('picture' in part) {
    const { width, height, caption } = part.picture
    const style = 'display:block;width:100%;height:auto;border:0'
    return `<img src="cid:${cidOf(part.picture, index)}" width="${width}" height="${height}" alt="" style="${style}">${paragraph(escapeHtml(caption), captionStyle)}`
  }
  return paragraph(anchor(part, part.isSecond ? secondStyle : firstStyle), 'margin:16px 0')
}

/** Below each other: some languages have a space before a colon, and a mail does not know its language. */
const linkText = ({ name, url }: Link) => `${name}\n${url}`

function textOf(part: Part): string {
  if (typeof part === 'string') return part
  if ('lead' in part) return part.lead
  if ('lines' in part) return part.lines.join('\n')
  if ('links' in part) return part.links.map(linkText).join('\n')
  if ('picture' in part) return part.picture.caption
  return linkText(part)
}

/** A page in the colours that the reader's mail program has, as wide as it reads well. */
const page = (html: string) =>
  `<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">\
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">\
<style>:root{color-scheme:light dark}</style></head>\
<body style="margin:0;padding:16px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;font-size:15px;line-height:1.5">\
<div style="max-width:520px;margin:0 auto">${html}</div></body></html>`

/** A mail as text and as HTML: every mail of ours is laid out here. */
export function mailOfParts(to: string, subject: string, parts: readonly Part[]): Mail {
  const attachments = parts.flatMap((part, index) =>
    typeof part === 'object' && 'picture' in part
      ? [
          {
            filename: 'trend.png',
            contentType: 'image/png',
            content: part.picture.png,
            cid: cidOf(part.picture, index),
          },
        ]
      : [],
  )
  return {
    to,
    subject: subject.replace(/[\r\n]+/g, ' '),
    text: `${parts.map(textOf).join('\n\n')}\n`,
    html: page(parts.map(htmlOf).join('')),
    ...(attachments.length > 0 ? { attachments } : {}),
  }
}

/** A mail around one link; `text` gives its subject, greeting, body, action (the link's words) and note (what else). */
export const letter = (to: string, text: (key: string) => string, url: string): Mail =>
  mailOfParts(to, text('subject'), [text('greeting'), text('body'), { name: text('action'), url }, text('note')])
