import { switchOn } from '../src/core/events/feed-queries.ts'
import { noteEvents } from '../src/core/events/note-events.ts'
import { insertEndpoint } from '../src/features/webhooks/endpoint-queries.ts'
import { firstSecret } from '../src/features/webhooks/secrets.ts'
import { sendDue } from '../src/features/webhooks/send-message.ts'
import { dueEndpoints } from '../src/features/webhooks/send-queries.ts'
import { numberAll } from '../src/features/webhooks/webhook-sender.ts'
import { asPipeline } from '../src/platform/db/transaction.ts'
import type { Services } from '../src/platform/services.ts'
import { inCompany } from './factories.ts'
import type { TestApp } from './harness.ts'

interface Company {
  companyId: number
}

interface EndpointValues {
  url?: string
  events?: string[]
  seesPrivate?: boolean
}

/** An endpoint that is on, with its secret; the Admin, where one is given, lets it see private things. */
export const anEndpoint = (
  test: TestApp,
  { companyId, id: adminId }: Company & { id?: string },
  {
    url = 'https://hooks.example.test/isotherm',
    events = ['device.claimed'],
    seesPrivate = false,
  }: EndpointValues = {},
) =>
  inCompany(test, companyId, async ({ tx }) => {
    const ctx = { tx, companyId }
    const now = test.clock.now()
    await switchOn(ctx, now)
    const id = await insertEndpoint(ctx, {
      ...{ url, description: '', events, sees_private: seesPrivate, state: 'on', state_since: now },
      ...(seesPrivate && adminId !== undefined && { private_by: adminId }),
      ...{ created_at: now, created_by: '1', created_by_name: 'Ada Obi' },
    })
    return { id, secret: await firstSecret(ctx, test.services.secret, id, now) }
  })

/** A message that waits for its first attempt. */
export async function aWebhookDelivery(test: TestApp, { companyId }: Company) {
  const endpoint = await anEndpoint(test, { companyId })
  await inCompany(test, companyId, ({ tx }) => noteEvents(tx, [testEvent(companyId, endpoint.id, test.clock.now())]))
  await numberAll(test.services)
  const [row] = await test.rows<{ id: string }>(
    'select id from webhook_deliveries where company_id = $1 and endpoint_id = $2',
    [companyId, endpoint.id],
  )
  return { id: row?.id ?? '', endpointId: endpoint.id }
}

let count = 0
const testEvent = (companyId: number, endpointId: string, at: Date) => {
  count += 1
  return {
    ...{ companyId, endpointId, type: 'webhook.test' as const, key: `${endpointId}:${count}`, at },
    data: { endpointId, text: 'Somebody asked for this test.' },
  }
}

/** Numbers and sends all that is due, one message after the other; returns how many. */
export async function sendAllDue(services: Services): Promise<number> {
  while ((await numberAll(services)) > 0);
  let sent = 0
  const due = await asPipeline(services.pool, ({ tx }) =>
    dueEndpoints(tx, services.clock.now(), { endpoints: [], companies: [] }, 1_000),
  )
  for (const endpoint of due) sent += await sendDue(services, endpoint, { atMost: Number.POSITIVE_INFINITY })
  return sent
}
