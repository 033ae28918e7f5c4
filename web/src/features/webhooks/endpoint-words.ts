import type { WebhookEndpoint } from '@isotherm/contract/webhooks.ts'
import type { TFunction } from 'i18next'
import { formatTime } from '../../lib/times.ts'
import type { Tone } from '../../ui/state-dot.tsx'

/** The host of an address: the rest may be long, and a secret. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? url

export type EndpointMood = 'on' | 'off' | 'failing' | 'disabled'

export const moodOf = ({ state, failingSince }: WebhookEndpoint): EndpointMood =>
  state === 'on' && failingSince !== null ? 'failing' : state

export const toneOfMood: Record<EndpointMood, Tone> = { on: 'ok', off: 'none', failing: 'warning', disabled: 'warm' }

/** How an endpoint stands, with what somebody can do about it. */
export function saysOf(t: TFunction<'webhooks'>, endpoint: WebhookEndpoint): string {
  const { reason, failingSince, lastDeliveredAt } = endpoint
  const mood = moodOf(endpoint)
  if (mood === 'disabled') return t(reason === 'gone' ? 'says.disabledGone' : 'says.disabledFailing')
  if (mood === 'failing' && failingSince) return t('says.failing', { time: formatTime(failingSince) })
  if (mood === 'off') return t('says.off')
  return lastDeliveredAt ? t('says.on', { time: formatTime(lastDeliveredAt) }) : t('says.fresh')
}
