import type { Locale } from '@isotherm/contract/common.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { linkOf, type Payload, textsOf } from './messages.ts'

// Some signs take three bytes, and a push service need not take more than 4096, of which encryption has a hundred.
const maxCharacters = 400

/**
 * The text that a browser shows of a message; web/public/worker.js reads it. The latest state of a trigger replaces what was
 * said of it before; a message of several stands by itself. `acknowledge`: the page where its reader does that.
 */
export function pushText(payload: Payload, locale: Locale, key: string, acknowledge: string | null = null): string {
  const { subject, placed } = textsOf(payload, locale)
  const { alerts, more, triggerId } = payload
  return JSON.stringify({
    title: subject.slice(0, maxCharacters),
    body: placed.slice(0, maxCharacters),
    url: linkOf(payload, ''),
    tag: triggerId !== null && alerts.length + more === 1 ? `trigger ${triggerId}` : key.slice(0, maxCharacters),
    lang: locale,
    ...(acknowledge ? { acknowledge: { title: translate(locale, 'alerts:mail.acknowledge'), url: acknowledge } } : {}),
  })
}
