import type { Locale } from '@isotherm/contract/common.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { mailOfParts } from '../../platform/mail/letter.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import type { AlertTexts } from './alert-texts.ts'

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
  return mailOfParts(to, subject, [
    say('greeting'),
    { lines: details },
    { name: say('action'), url: link },
    say('note'),
  ])
}
