import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { loadConfig } from '../../config/config.ts'
import { sendByAfricasTalking } from './africas-talking.ts'
import { sendByTwilio } from './twilio.ts'
import { sendByWhatsApp } from './whats-app.ts'

// A server that answers as the providers' documents say, and keeps what it was asked.
let url: string
let asked: { path: string; headers: Record<string, unknown>; body: string }
let answer: { status: number; body: unknown; headers?: Record<string, string> }
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (part) => {
    body += part
  })
  request.on('end', () => {
    asked = { path: request.url ?? '', headers: request.headers, body }
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
  })
})
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  asked = { path: '', headers: {}, body: '' }
})
afterAll(() => new Promise((done) => server.close(done)))

const message = { to: '+2348000000000', text: 'Fridge:  9.0 C\n+2 & more', locale: 'fr', key: 'opened 1 sms 2' }
const fields = () => Object.fromEntries(new URLSearchParams(asked.body))

describe('Twilio', () => {
  const account = () => ({ url, accountSid: 'AC1', authToken: 'secret', from: '+15005550006' })
  const send = (report = 'https://cold.test/reports') => sendByTwilio(account(), message, report)
  test('is asked by form with basic authentication, and names the message', async () => {
    answer = { status: 201, body: { sid: 'SM1', status: 'queued' } }
    expect(await send()).toEqual({ ok: true, provider: 'twilio', providerId: 'SM1' })
    expect(asked.path).toBe('/2010-04-01/Accounts/AC1/Messages.json')
    expect(asked.headers.authorization).toBe(`Basic ${Buffer.from('AC1:secret').toString('base64')}`)
    const sent = {
      To: message.to,
      Body: message.text,
      From: '+15005550006',
      StatusCallback: 'https://cold.test/reports',
    }
    expect(fields()).toEqual(sent)
  })
  test('is given a messaging service as one, and no callback that it could not reach', async () => {
    answer = { status: 201, body: { sid: 'SM1' } }
    await sendByTwilio({ ...account(), from: 'MG9' }, message, 'http://localhost:8080/reports')
    expect(fields()).toEqual({ To: message.to, Body: message.text, MessagingServiceSid: 'MG9' })
  })
  test.each([21211, 21610, 21614])('refuses for good with %i', async (code) => {
    answer = { status: 400, body: { code, message: 'not this number', status: 400 } }
    expect(await send()).toEqual({ ok: false, reason: `Twilio ${code}: not this number` })
  })
  test.each([
    [429, { code: 20429 }],
    [401, { code: 20003 }],
    [400, { code: 21611 }],
    [503, 'sorry'],
    [201, 'no JSON'],
  ])('is asked again after %i %j', async (status, body) => {
    answer = { status, body }
    await expect(send()).rejects.toThrow('Twilio answered')
  })
  test('may not lead elsewhere, nor answer without end', async () => {
    answer = { status: 307, body: '', headers: { location: `${url}/elsewhere` } }
    await expect(send()).rejects.toThrow()
    expect(asked.path).not.toBe('/elsewhere')
    answer = { status: 201, body: { sid: 'x'.repeat(100_000) } }
    await expect(send()).rejects.toThrow('too much')
  })
})

describe('Africa’s Talking', () => {
  const account = () => ({ url, username: 'cold', apiKey: 'key', from: undefined, reportSecret: undefined })
  const send = () => sendByAfricasTalking(account(), message)
  const recipient = (statusCode: number, status: string) => ({
    status: 201,
    body: {
      SMSMessageData: {
        Message: 'Sent',
        Recipients: [{ statusCode, status, number: message.to, messageId: 'ATXid_1' }],
      },
    },
  })
  test('is asked by form with its key', async () => {
    answer = recipient(101, 'Success')
    expect(await send()).toEqual({ ok: true, provider: 'africastalking', providerId: 'ATXid_1' })
    expect([asked.path, asked.headers.apikey]).toEqual(['/version1/messaging', 'key'])
    expect(fields()).toEqual({ username: 'cold', to: message.to, message: message.text, enqueue: '1' })
  })
  test.each([402, 403, 404, 406, 407, 409])('refuses for good with %i', async (code) => {
    answer = recipient(code, 'Refused')
    expect(await send()).toEqual({ ok: false, reason: `Africa's Talking ${code}: Refused` })
  })
  test.each([401, 405, 500, 501, 502])('is asked again after %i', async (code) => {
    answer = recipient(code, 'Later')
    await expect(send()).rejects.toThrow(`${code}: Later`)
  })
  test('refuses a sender that is not ours, without recipients', async () => {
    answer = { status: 201, body: { SMSMessageData: { Message: 'InvalidSenderId', Recipients: [] } } }
    expect(await send()).toEqual({ ok: false, reason: "Africa's Talking: InvalidSenderId" })
  })
  test.each([401, 500, 503])('is asked again after the status %i', async (status) => {
    answer = { status, body: 'The supplied authentication is invalid' }
    await expect(send()).rejects.toThrow(String(status))
  })
})

describe('WhatsApp', () => {
  const account = () => ({ url, phoneId: '1065', token: 'token', template: 'alarm', reports: null })
  const send = () => sendByWhatsApp(account(), message)
  test('is sent the template in the reader’s language, on one line, with our key', async () => {
    const body = { messaging_product: 'whatsapp', contacts: [], messages: [{ id: 'wamid.1' }] }
    answer = { status: 200, body }
    expect(await send()).toEqual({ ok: true, provider: 'whatsapp', providerId: 'wamid.1' })
    expect([asked.path, asked.headers.authorization]).toEqual(['/1065/messages', 'Bearer token'])
    expect(JSON.parse(asked.body)).toMatchObject({
      to: '2348000000000',
      biz_opaque_callback_data: message.key,
      template: {
        name: 'alarm',
        language: { code: 'fr' },
        components: [{ parameters: [{ type: 'text', text: 'Fridge: 9.0 C +2 & more' }] }],
      },
    })
  })
  test.each([131026, 132001, 131030])('refuses for good with %i', async (code) => {
    answer = { status: 400, body: { error: { code, message: 'undeliverable' } } }
    expect(await send()).toEqual({ ok: false, reason: `WhatsApp ${code}: undeliverable` })
  })
  test.each([
    [400, 130429],
    [400, 131056],
    [401, 190],
    [500, 131000],
  ])('is asked again after %i %i', async (status, code) => {
    answer = { status, body: { error: { code, message: 'later' } } }
    await expect(send()).rejects.toThrow(String(code))
  })
})

describe('a provider half configured stops the start', () => {
  test.each([
    [{ SMS_PROVIDER: 'twilio', TWILIO_ACCOUNT_SID: 'AC1', TWILIO_FROM: '+1' }, 'TWILIO_AUTH_TOKEN'],
    [{ SMS_PROVIDER: 'africastalking', AFRICASTALKING_USERNAME: 'x' }, 'AFRICASTALKING_API_KEY'],
    [{ WHATSAPP_PHONE_ID: '1', WHATSAPP_TOKEN: 't' }, 'WHATSAPP_TEMPLATE'],
    [{ WHATSAPP_APP_SECRET: 's' }, 'WHATSAPP_VERIFY_TOKEN'],
    [{ SMS_PROVIDER: 'pigeon' }, 'SMS_PROVIDER'],
  ])('%j', (env, missing) => {
    expect(() => loadConfig(env)).toThrow(`${missing} must`)
  })
})
