import type { Mail } from './mailer.ts'

interface Link {
  name: string
  url: string
}
/** A paragraph, lines that belong together, one link, or a list of links. */
type Part = string | { lines: readonly string[] } | Link | { links: readonly Link[] }

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const paragraph = (html: string) => `<p>${html}</p>`
const anchor = ({ name, url }: Link) => `<a href="${escapeHtml(url)}">${escapeHtml(name)}</a>`

function htmlOf(part: Part): string {
  if (typeof part === 'string') return paragraph(escapeHtml(part))
  if ('lines' in part) return part.lines.map((line) => paragraph(escapeHtml(line))).join('')
  if ('links' in part) return `<ul>${part.links.map((link) => `<li>${anchor(link)}</li>`).join('')}</ul>`
  return paragraph(anchor(part))
}

function textOf(part: Part): string {
  if (typeof part === 'string') return part
  if ('lines' in part) return part.lines.join('\n')
  if ('links' in part) return part.links.map(({ name, url }) => `${name}: ${url}`).join('\n')
  return part.url
}

/** A mail as text and as HTML: every mail of ours is laid out here. */
export const mailOfParts = (to: string, subject: string, parts: readonly Part[]): Mail => ({
  to,
  subject: subject.replace(/[\r\n]+/g, ' '),
  text: `${parts.map(textOf).join('\n\n')}\n`,
  html: parts.map(htmlOf).join(''),
})

/** A mail around one link; `text` gives its subject, greeting, body, action (the link's words) and note (what else). */
export const letter = (to: string, text: (key: string) => string, url: string): Mail =>
  mailOfParts(to, text('subject'), [text('greeting'), text('body'), { name: text('action'), url }, text('note')])
