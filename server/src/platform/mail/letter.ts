import type { Mail } from './mailer.ts'

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A mail around one link; `text` gives its subject, greeting, body, action (the link's words) and note (what else). */
export function letter(to: string, text: (key: string) => string, link: string): Mail {
  const line = (key: string) => escapeHtml(text(key))
  return {
    to,
    subject: text('subject'),
    text: `${text('greeting')}\n\n${text('body')}\n\n${link}\n\n${text('note')}\n`,
    html: `<p>${line('greeting')}</p><p>${line('body')}</p><p><a href="${escapeHtml(link)}">${line('action')}</a></p><p>${line('note')}</p>`,
  }
}
