import type { Locale } from '@isotherm/contract/common.ts'
import { translate } from '../i18n/i18n.ts'
import type { Mail } from '../mail/mailer.ts'
import type { AlertTexts } from './alert-texts.ts'

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A mail about triggers, with the link to them. */
export function mailOf(to: string, locale: Locale, { subject, details }: AlertTexts, link: string): Mail {
  const say = (key: string) => translate(locale, `alerts:mail.${key}`)
  const lines = details.map((line) => `<p>${escapeHtml(line)}</p>`).join('')
  return {
    to,
    subject,
    text: `${say('greeting')}\n\n${details.join('\n')}\n\n${link}\n\n${say('note')}\n`,
    html: `<p>${escapeHtml(say('greeting'))}</p>${lines}<p><a href="${escapeHtml(link)}">${escapeHtml(say('action'))}</a></p><p>${escapeHtml(say('note'))}</p>`,
  }
}
