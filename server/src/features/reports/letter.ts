import type { Mail } from '../../platform/mail/mailer.ts'

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A mail around the links to a run's files. */
export function reportLetter(to: string, text: (key: string) => string, links: { name: string; url: string }[]): Mail {
  const line = (key: string) => escapeHtml(text(key))
  const list = links.map(({ name, url }) => `<li><a href="${escapeHtml(url)}">${escapeHtml(name)}</a></li>`).join('')
  return {
    to,
    subject: text('subject').replace(/[\r\n]+/g, ' '),
    text: `${text('greeting')}\n\n${text('body')}\n\n${links.map(({ name, url }) => `${name}: ${url}`).join('\n')}\n\n${text('links')}\n\n${text('note')}\n`,
    html: `<p>${line('greeting')}</p><p>${line('body')}</p><ul>${list}</ul><p>${line('links')}</p><p>${line('note')}</p>`,
  }
}
