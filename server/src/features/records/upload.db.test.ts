import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Locale } from '@isotherm/contract/common.ts'
import { recordLimits } from '@isotherm/contract/records.ts'
import { beforeAll, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { formOf, formType, SentFile } from '../../../test/form.ts'
import { buildRecord } from '../../../test/record-factory.ts'

let port: number
const t = describeApp()
beforeAll(async () => {
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  port = (t.app.server.address() as AddressInfo).port
})

async function aRecord(locale: Locale = 'en') {
  const user = await buildUser(t, { locale })
  const device = await aDevice(t, { companyId: user.companyId })
  const { id } = await buildRecord(t, { companyId: user.companyId, deviceIds: [device.id] })
  const path = `/enterprise/record/${id}/attachments`
  const attachments = async () =>
    (await t.call('GET', `/enterprise/record/${id}`, { token: user.token })).body.payload.attachments
  const attach = (body: object) => t.call('POST', path, { token: user.token, body })
  return { user, path, attach, attachments }
}

/** A request over a socket, which may send its body piece by piece and without its length. */
function open({ token }: { token: string }, path: string, headers: Record<string, string | number> = {}) {
  const asked = request({
    ...{ port, host: '127.0.0.1', method: 'POST', path: `/app/api/v1${path}` },
    headers: { authorization: `Bearer ${token}`, 'content-type': formType, ...headers },
  })
  const answer = new Promise<{ status: number | undefined; body: unknown; connection: string | undefined }>(
    (resolve, reject) => {
      asked.on('error', reject)
      asked.on('response', async (response) =>
        resolve({ status: response.statusCode, connection: response.headers.connection, body: await json(response) }),
      )
    },
  )
  return { asked, answer }
}

const filesOnDisk = async () =>
  (await readdir(t.services.config.dataDir, { recursive: true })).filter((name) => /record-attachments.*\./.test(name))

const maxBytes = recordLimits.attachmentBytes

test('a file of the largest size is taken, one byte more is refused by the name of its field, and leaves nothing', async () => {
  const { attach, attachments } = await aRecord('fr')
  const before = await filesOnDisk()
  const refused = await attach({ file: new SentFile('long.txt', 'x'.repeat(maxBytes + 1)) })
  expect([refused.status, refused.body.messages, refused.body.fields]).toEqual([
    422,
    [expect.stringMatching(/^Fichier\s: Le fichier est trop volumineux/)],
    { file: ['Le fichier est trop volumineux\u00a0: 8 Mo au plus.'] },
  ])
  expect(await filesOnDisk()).toEqual(before)
  expect((await attach({ file: new SentFile('long.txt', 'x'.repeat(maxBytes)) })).status).toBe(200)
  expect(await attachments()).toMatchObject([{ name: 'long.txt', sizeBytes: maxBytes }])
})

test('a file that never ends is refused while it is sent, and its connection ends', async () => {
  const { user, path, attachments } = await aRecord()
  const { asked, answer } = open(user, path)
  const [head = ''] = formOf({ file: new SentFile('x.txt', '') })
    .toString()
    .split('\r\n\r\n')
  asked.write(`${head}\r\n\r\n`)
  const piece = 'x'.repeat(65_536)
  let sent = 0
  const send = () => {
    while (sent < 40_000_000 && asked.writable && asked.write(piece)) sent += piece.length
  }
  asked.on('drain', send)
  send()
  expect(await answer).toMatchObject({ status: 422, connection: 'close', body: { fields: { file: [/8 MB/] } } })
  asked.destroy()
  expect(sent).toBeLessThan(40_000_000)
  expect(await attachments()).toEqual([])
})

test('what stands before the first field counts towards the length of the body', async () => {
  const { user, path } = await aRecord()
  const { asked, answer } = open(user, path)
  const piece = 'x'.repeat(65_536)
  const send = () => {
    while (asked.writable && asked.write(piece));
  }
  asked.on('drain', send)
  send()
  expect(await answer).toMatchObject({ status: 413, connection: 'close', body: { code: 'BODY_TOO_LARGE' } })
  asked.destroy()
})

test('an upload that is cut leaves nothing, and the server goes on', async () => {
  const { user, path, attach, attachments } = await aRecord()
  const before = await filesOnDisk()
  const whole = formOf({ file: new SentFile('seal.txt', 'x'.repeat(200_000)) })
  const { asked, answer } = open(user, path, { 'content-length': whole.length })
  const over = new Promise((done) => t.app.server.once('connection', (socket) => socket.once('close', done)))
  asked.write(whole.subarray(0, 120_000))
  await new Promise((done) => t.app.server.once('request', done))
  asked.destroy()
  await expect(answer).rejects.toThrow()
  await over
  expect((await attach({ file: new SentFile('seal.txt', 'whole') })).status).toBe(200)
  expect((await attachments()).map((one: { sizeBytes: number }) => one.sizeBytes)).toEqual([5])
  expect(await filesOnDisk()).toHaveLength(before.length + 1)
})

test.each([
  ['nothing', {}, { file: ['This is needed.'] }],
  ['an empty file', { file: new SentFile('seal.txt', '') }, { file: ['The file is empty.'] }],
  ['a file without a name', { file: new SentFile('', 'x') }, { file: [/at most 120 characters/] }],
  ['too long a name', { file: new SentFile(`${'n'.repeat(120)}.txt`, 'x') }, { file: [/at most 120 characters/] }],
  [
    'a field that nobody knows',
    { file: new SentFile('seal.txt', 'x'), note: 'x' },
    { note: ['This field is not known here.'] },
  ],
])('%s is refused by the name of its field', async (_, fields, told) => {
  const { user, path } = await aRecord()
  const answer = await t.app.inject({
    ...{ method: 'POST', url: `/app/api/v1${path}`, payload: formOf(fields) },
    headers: { authorization: `Bearer ${user.token}`, 'content-type': formType },
  })
  expect(answer.statusCode).toBe(422)
  const wanted = Object.entries(told).map(([field, [text]]) => [field, [expect.stringMatching(text ?? '')]])
  expect(answer.json().fields).toEqual(Object.fromEntries(wanted))
})

test('two files in one field are refused', async () => {
  const { user, path, attachments } = await aRecord()
  const form = new FormData()
  for (const name of ['a.txt', 'b.txt']) form.append('file', new File(['x'], name))
  const answer = await fetch(`http://127.0.0.1:${port}/app/api/v1${path}`, {
    ...{ method: 'POST', body: form, headers: { authorization: `Bearer ${user.token}` } },
  })
  expect([answer.status, await answer.json()]).toMatchObject([422, { fields: { file: ['A file is expected.'] } }])
  expect(await attachments()).toEqual([])
})

test('a name comes as the browser was given it', async () => {
  const { user, path, attachments } = await aRecord()
  const form = new FormData()
  form.set('file', new File(['x'], 'Rohr 5" – «Süd» 100%.txt'))
  await fetch(`http://127.0.0.1:${port}/app/api/v1${path}`, {
    ...{ method: 'POST', body: form, headers: { authorization: `Bearer ${user.token}` } },
  })
  expect(await attachments()).toMatchObject([{ name: 'Rohr 5" – «Süd» 100%.txt' }])
})

test('JSON is not taken where a form is asked for, nor a form where JSON is', async () => {
  const { user, path, attach } = await aRecord()
  const asJson = await attach({ name: 'seal.txt', contentBase64: 'c2VhbA==' })
  expect([asJson.status, asJson.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  const asForm = await t.call('POST', path.replace('attachments', 'notes'), {
    token: user.token,
    body: { text: new SentFile('seal.txt', 'x') },
  })
  expect([asForm.status, asForm.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
})

test.each([
  ['a body that is no form', 'multipart/form-data; boundary=x', 'no form'],
  ['a form without a boundary', 'multipart/form-data', formOf({ file: new SentFile('a.txt', 'x') })],
  ['a form that ends early', formType, formOf({ file: new SentFile('a.txt', 'x'.repeat(99)) }).subarray(0, 120)],
])('%s is malformed', async (_, type, payload) => {
  const { user, path } = await aRecord()
  const answer = await t.app.inject({
    ...{ method: 'POST', url: `/app/api/v1${path}`, payload },
    headers: { authorization: `Bearer ${user.token}`, 'content-type': type },
  })
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'MALFORMED_BODY'])
})

test('a length that is only announced costs a company no more than the largest body that the call takes', async () => {
  const { user, path, attach } = await aRecord()
  const { asked, answer } = open(user, path, { 'content-length': 1e12 })
  answer.catch(() => {})
  await new Promise((done) => {
    t.app.server.once('request', done)
    asked.flushHeaders()
  })
  asked.destroy()
  const began = performance.now()
  expect((await attach({ file: new SentFile('long.txt', 'x'.repeat(100_000)) })).status).toBe(200)
  expect(performance.now() - began).toBeLessThan(30_000)
})
