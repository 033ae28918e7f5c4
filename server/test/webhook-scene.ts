import { openReceiver, type Receiver } from '@isotherm/simulator/webhooks/receiver.ts'
import { afterEach, beforeEach } from 'vitest'
import { noteEvents } from '../src/core/events/note-events.ts'
import { describeApp } from './describe-app.ts'
import { buildUser, inCompany, type TestUser } from './factories.ts'
import { anEndpoint, sendAllDue } from './webhook-factory.ts'

export const events = ['device.claimed', 'record.ended']

/** An app, with an Admin and a receiver of webhooks for each test of a file. */
export function describeWebhooks() {
  const t = describeApp({ webhookAllowPrivate: true })
  const scene = {} as { admin: TestUser; receiver: Receiver }
  beforeEach(async () => {
    scene.admin = await buildUser(t)
    scene.receiver = await openReceiver()
  })
  // Messages that still wait are not sent in the next test.
  afterEach(async () => {
    const { companyId } = scene.admin
    await t.change(companyId, `update webhook_endpoints set state = 'off' where company_id = $1 and state = 'on'`, [
      companyId,
    ])
    await scene.receiver.close()
  })

  const call = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, user = scene.admin) =>
    t.call(method, `/developer${path}`, { token: user.token, ...(body && { body }) })
  const answerWith = (status: number, headers: Record<string, string> = {}, body = '') => {
    scene.receiver.answer = () => ({ status, headers, body })
  }
  let count = 0
  /** Something that an endpoint is told of; resolves with its number, which tells one from another. */
  const happen = async (deviceIds?: number[], number = ++count): Promise<number> => {
    const { companyId } = scene.admin
    const at = t.clock.now()
    const times = { startAt: at.toISOString(), endAt: at.toISOString() }
    await inCompany(t, companyId, ({ tx }) =>
      noteEvents(tx, [
        {
          ...{ companyId, type: 'record.ended', key: String(number), at, ...(deviceIds && { deviceIds }) },
          data: { recordId: String(number), name: `Record ${number}`, endedBy: 'hand', ...times },
        },
      ]),
    )
    return number
  }

  return {
    ...{ t, scene, call, answerWith, happen },
    endpoint: (values: object = {}) =>
      anEndpoint(t, scene.admin, { url: `${scene.receiver.url}/hook`, events, ...values }),
    send: () => sendAllDue(t.services),
    log: async (query = '') => (await call('GET', `/deliveries${query}`)).body.payload.data,
    /** The `webhook-id` of each message that came. */
    ids: () => scene.receiver.received.map(({ headers }) => headers['webhook-id']),
  }
}
