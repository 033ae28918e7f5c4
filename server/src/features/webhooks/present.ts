import type { EventName } from '@isotherm/contract/webhook-events.ts'
import type {
  ChosenEvent,
  DeliveryState,
  FeedEvent,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
} from '@isotherm/contract/webhooks.ts'
import type { AttemptRow, DeliveryDetailRow, DeliveryRow } from './delivery-queries.ts'
import type { EndpointRow } from './endpoint-queries.ts'
import { bodyOf, headersOf, messageIdOf, type NumberedEvent, payloadOf } from './message.ts'

const iso = (at: Date | null) => at?.toISOString() ?? null

export const presentEndpoint = (row: EndpointRow, now: Date): WebhookEndpoint => ({
  id: row.id,
  url: row.url,
  description: row.description,
  events: row.events as ChosenEvent[],
  seesPrivate: row.vouching_admin !== null,
  privateBy: row.vouching_admin,
  state: row.state as WebhookEndpoint['state'],
  reason: row.reason as WebhookEndpoint['reason'],
  stateSince: row.state_since.toISOString(),
  failingSince: iso(row.failing_since),
  lastDeliveredAt: iso(row.last_delivered_at),
  waiting: row.waiting,
  oldSecretUntil: row.old_secret_until && row.old_secret_until > now ? row.old_secret_until.toISOString() : null,
  createdAt: row.created_at.toISOString(),
  createdBy: row.created_by_name,
  version: row.version,
})

/** How the audit trail names an endpoint. Its path may be a secret of the receiver's. */
export const target = ({ id, url }: Pick<EndpointRow, 'id' | 'url'>) => ({
  ...{ kind: 'webhookEndpoint', id, name: URL.parse(url)?.host ?? url },
})

export const auditSnapshot = (row: EndpointRow) => ({
  ...{ url: row.url, description: row.description, events: [...row.events], seesPrivate: row.sees_private },
  ...{ admin: row.vouching_admin?.name ?? null, state: row.state },
})

export const presentDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  messageId: messageIdOf(row),
  endpointId: row.endpoint_id,
  url: row.url,
  type: row.type as EventName,
  state: row.state as DeliveryState,
  attempts: row.attempts,
  status: row.status,
  nextAt: iso(row.next_at),
  createdAt: row.created_at.toISOString(),
  endedAt: iso(row.ended_at),
  isReplay: row.is_replay,
})

const presentAttempt = (messageId: string, row: AttemptRow): WebhookAttempt => ({
  ...{ n: row.n, at: row.at.toISOString(), tookMs: row.took_ms, status: row.status, answer: row.answer },
  error: row.error as WebhookAttempt['error'],
  headers: row.signature === null ? {} : headersOf(messageId, Number(row.stamp), row.signature),
})

export const presentDetail = (
  row: DeliveryDetailRow,
  attempts: readonly AttemptRow[],
  publicUrl: string,
): WebhookDeliveryDetail => ({
  ...presentDelivery(row),
  body: bodyOf(row, publicUrl),
  attemptList: attempts.map((one) => presentAttempt(messageIdOf(row), one)),
})

export const presentEvent = (row: NumberedEvent, publicUrl: string): FeedEvent => {
  const { type, ...rest } = payloadOf(row, publicUrl)
  return { id: messageIdOf(row), type: type as ChosenEvent, ...rest }
}
