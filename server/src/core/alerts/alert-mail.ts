import type { Locale } from '@isotherm/contract/common.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { mailOfParts, type Part } from '../../platform/mail/letter.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { type Alert, type AlertTexts, valueText } from './alert-texts.ts'
import { drawTrend, type Trend, trendSize } from './trend-picture.ts'

/** The subject of a mail: decides its button and the reason why the person gets it. */
export type MailSubject = 'alarm' | 'notice' | 'place' | 'order'

interface AlertMail {
  locale: Locale
  texts: AlertTexts
  /** The page that it is about. */
  link: string
  about?: MailSubject
  /** The last hours of the first alert. */
  trend?: { trend: Trend; alert: Alert } | null
  /** The page where its reader acknowledges it without a login. */
  acknowledge?: string | null
}

/** A mail about triggers, crossings or failed messages: the sentence first, which mail programs show beside the subject. */
export function mailOf(to: string, { locale, texts, link, about = 'alarm', trend, acknowledge }: AlertMail): Mail {
  const say = (key: string) => translate(locale, `alerts:mail.${about === 'alarm' ? key : `${about}.${key}`}`)
  return mailOfParts(to, texts.subject, [
    { lead: texts.lead },
    ...(trend ? [pictureOf(locale, trend)] : []),
    ...(acknowledge ? [{ name: say('acknowledge'), url: acknowledge }] : []),
    { name: say('action'), url: link, isSecond: Boolean(acknowledge) },
    { lines: texts.details.slice(1) },
    say('note'),
  ])
}

function pictureOf(locale: Locale, { trend, alert }: { trend: Trend; alert: Alert }): Part {
  const values = trend.points.map(({ value }) => value)
  const text = (value: number | null) => valueText(locale, alert, value)
  const caption = translate(locale, `alerts:mail.${trend.limit === null ? 'trend' : 'trendLimit'}`, {
    from: text(Math.min(...values)),
    to: text(Math.max(...values)),
    limit: text(trend.limit),
  })
  return { picture: { png: drawTrend(trend), ...trendSize, caption } }
}
