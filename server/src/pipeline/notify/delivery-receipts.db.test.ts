import { createHmac } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany } from '../../../test/factories.ts'
import { startTestApp } from '../../../test/harness.ts'
import type { MessagingAccounts } from '../../platform/config/messaging.ts'
import { asPipeline } from '../../platform/db/transaction.ts'

const publicUrl = 'https://cold.test'
const secret = 'an address nobody guesses'
const messaging: MessagingAccounts = {
  webPush: null,
  twilio: { url: '', accountSid: 'AC1', authToken: 'token', from: '+1' },
  africasTalking: { url: '', username: 'x', apiKey: 'y', from: undefined, reportSecret: secret },
  whatsApp: { url: '', phoneId: '1', token: 't', template: 'a', reports: { appSecret: 'app', verifyToken: 'verify' } },
}
let companyId: number
const t = describeApp({ messaging, publicUrl })
beforeAll(async () => {
  companyId = (await buildCompany(t)).companyId
})

let count = 0
/** A message that its provider took. */
async function accepted(provider: string): Promise<string> {
  count += 1
  const id = `message ${count}`
  await asPipeline(t.pool, ({ client }) =>
    client.query(
      `insert into deliveries (company_id, key, channel, event, address, locale, payload, severity, state, provider, provider_id, created_at)
       values ($1, $2, 'sms', 'opened', '+1', 'en', '{}', 'critical', 'accepted', $3, $2, now())`,
      [companyId, id, provider],
    ),
  )
  return id
}
const stateOf = (id: string) =>
  asPipeline(t.pool, async ({ client }) => {
    const { rows } = await client.query<{ state: string; reason: string | null }>(
      'select state, reason from deliveries where company_id = $1 and provider_id = $2',
      [companyId, id],
    )
    return [rows[0]?.state, rows[0]?.reason]
  })
const formed = { 'content-type': 'application/x-www-form-urlencoded' }

function byTwilio(fields: Record<string, string>, authToken = 'token') {
  const text = Object.keys(fields)
    .sort()
    .reduce((sum, name) => sum + name + fields[name], `${publicUrl}/app/api/v1/message-reports/twilio`)
  return t.call('POST', '/message-reports/twilio', {
    body: new URLSearchParams(fields).toString(),
    headers: { ...formed, 'x-twilio-signature': createHmac('sha1', authToken).update(text).digest('base64') },
  })
}

test('the signature is the one Twilio documents', async () => {
  // From their page on security: token 12345, this address and these fields.
  const { isOfTwilio } = await import('../../platform/messaging/providers/twilio.ts')
  const fields = new URLSearchParams({
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
    To: '+18005551212',
  })
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2'
  expect(isOfTwilio('12345', url, fields, 'RSOYDt4T1cUTdK1PDd93/VVr8B8=')).toBe(true)
  expect(isOfTwilio('12345', `${url}3`, fields, 'RSOYDt4T1cUTdK1PDd93/VVr8B8=')).toBe(false)
})

test('Twilio tells what became of a message; what is not signed by it changes nothing', async () => {
  const id = await accepted('twilio')
  const report = { MessageSid: id, MessageStatus: 'undelivered', ErrorCode: '30003' }
  expect((await byTwilio(report, 'guessed')).status).toBe(401)
  expect(await stateOf(id)).toEqual(['accepted', null])
  expect((await byTwilio({ ...report, MessageStatus: 'sent' })).status).toBe(204)
  expect(await stateOf(id)).toEqual(['accepted', null])
  expect((await byTwilio(report)).status).toBe(204)
  expect(await stateOf(id)).toEqual(['failed', 'Twilio 30003'])
})

test('what was delivered stays delivered, in whatever order reports come', async () => {
  const id = await accepted('twilio')
  for (const MessageStatus of ['delivered', 'failed', 'sent', 'delivered'])
    expect((await byTwilio({ MessageSid: id, MessageStatus })).status).toBe(204)
  expect(await stateOf(id)).toEqual(['delivered', null])
})

test('a report of another provider’s message changes nothing', async () => {
  const id = await accepted('whatsapp')
  expect((await byTwilio({ MessageSid: id, MessageStatus: 'delivered' })).status).toBe(204)
  expect(await stateOf(id)).toEqual(['accepted', null])
})

test('Africa’s Talking reports at its secret address only', async () => {
  const id = await accepted('africastalking')
  const body = new URLSearchParams({ id, status: 'Failed', failureReason: 'UserIsInactive' }).toString()
  const at = (path: string) => t.call('POST', `/message-reports/africastalking/${path}`, { body, headers: formed })
  expect((await at('guessed')).status).toBe(404)
  expect(await stateOf(id)).toEqual(['accepted', null])
  expect((await at(encodeURIComponent(secret))).status).toBe(204)
  expect(await stateOf(id)).toEqual(['failed', "Africa's Talking: UserIsInactive"])
})

test('WhatsApp reports signed, several at once', async () => {
  const [one, two] = [await accepted('whatsapp'), await accepted('whatsapp')]
  const statuses = [
    { id: one, status: 'delivered' },
    { id: two, status: 'failed', errors: [{ code: 131026, title: 'Message undeliverable' }] },
    { status: 'of another kind' },
  ]
  const body = JSON.stringify({ entry: [{ changes: [{ value: { statuses } }, { value: { messages: [{}] } }] }] })
  const signed = (appSecret: string) =>
    t.call('POST', '/message-reports/whatsapp', {
      body,
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`,
      },
    })
  expect((await signed('guessed')).status).toBe(401)
  expect(await stateOf(one)).toEqual(['accepted', null])
  expect((await signed('app')).status).toBe(204)
  expect(await stateOf(one)).toEqual(['delivered', null])
  expect(await stateOf(two)).toEqual(['failed', 'WhatsApp 131026: Message undeliverable'])
})

test('WhatsApp’s challenge is answered to who knows the token', async () => {
  const ask = (token: string) =>
    t.call('GET', '/message-reports/whatsapp', {
      query: { 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': '1158201444' },
    })
  expect((await ask('guessed')).status).toBe(401)
  expect(await ask('verify')).toMatchObject({ status: 200, body: '1158201444' })
})

test('without a provider there is nothing to report to', async () => {
  const bare = await startTestApp()
  try {
    for (const name of ['twilio', `africastalking/${encodeURIComponent(secret)}`, 'whatsapp'])
      expect((await bare.call('POST', `/message-reports/${name}`)).status).toBe(404)
  } finally {
    await bare.close()
  }
})
