import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { verifyWebhook, WebhookRefused } from './webhook.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const at = new Date('2026-11-27T10:00:00Z')
const body = '{"type":"alarm.opened","data":{"device":"Fridge 3"}}'

/** The headers that the reference implementation makes. */
const signedBy = (key: string) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(at.getTime() / 1000),
  'webhook-signature': new Webhook(key).sign('msg_1', at, body),
})
const now = at.getTime()

test('an event that the reference implementation signed is taken', async () => {
  expect(await verifyWebhook(secret, signedBy(secret), body, { now })).toEqual(JSON.parse(body))
  expect(await verifyWebhook(secret, new Headers(signedBy(secret)), body, { now })).toEqual(JSON.parse(body))
})

test('headers are those of another implementation of fetch, or have capitals, as some gateways write them', async () => {
  const headers = signedBy(secret)
  const foreign = { get: (name: string) => new Map(Object.entries(headers)).get(name) ?? null }
  expect(await verifyWebhook(secret, foreign, body, { now })).toEqual(JSON.parse(body))
  const capitals = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()), value]),
  )
  expect(Object.keys(capitals)).toContain('Webhook-Id')
  expect(await verifyWebhook(secret, capitals, body, { now })).toEqual(JSON.parse(body))
})

test('while secrets change, an event is taken by either of them', async () => {
  expect(await verifyWebhook([other, secret], signedBy(secret), body, { now })).toBeTruthy()
  const headers = signedBy(secret)
  const both = `${signedBy(other)['webhook-signature']} ${headers['webhook-signature']} v1a,nonsense`
  expect(await verifyWebhook(secret, { ...headers, 'webhook-signature': both }, body, { now })).toBeTruthy()
})

test('anything changed, old or missing is refused', async () => {
  const headers = signedBy(secret)
  const refused = (given: object, text = body, options = { now }) =>
    expect(verifyWebhook(secret, { ...headers, ...given }, text, options)).rejects.toThrow(WebhookRefused)
  await refused({}, body.replace('3', '4'))
  await refused({}, `${body} `)
  await refused({ 'webhook-id': 'msg_2' })
  await refused({ 'webhook-id': undefined })
  await refused({ 'webhook-timestamp': '1' })
  await refused({ 'webhook-timestamp': 'soon' })
  await refused({ 'webhook-signature': 'v1,' })
  await refused({ 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') })
  await refused({}, body, { now: now + 301_000 })
  await expect(verifyWebhook(other, headers, body, { now })).rejects.toThrow(WebhookRefused)
})
