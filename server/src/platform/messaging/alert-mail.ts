import type { Locale } from '@isotherm/contract/common.ts'
import { translate } from '../i18n/i18n.ts'
import type { Mail } from '../mail/mailer.ts'
import type { AlertTexts } from './alert-texts.ts'

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** The subject of a mail: decides its button and the reason why the person gets it. */
export type MailSubject = 'alarm' | 'notice' | 'place'

/** A mail about triggers, crossings or failed messages, with the link to them. */
export function mailOf(
  to: string,
  locale: Locale,
  { subject, details }: AlertTexts,
  link: string,
  about: MailSubject = 'alarm',
): Mail {
  const own = (key: string) => (about !== 'alarm' && key !== 'greeting' ? `${about}.${key}` : key)
  const say = (key: string) => translate(locale, `alerts:mail.${own(key)}`)
  const lines = details.map((line) => `<p>${escapeHtml(line)}</p>`).join('')
  return {
    to,
    subject,
    text: `${say('greeting')}\n\n${details.join('\n')}\n\n${link}\n\n${say('note')}\n`,
    html: `<p>${escapeHtml(say('greeting'))}</p>${lines}<p><a href="${escapeHtml(link)}">${escapeHtml(say('action'))}</a></p><p>${escapeHtml(say('note'))}</p>`,
  }
}
