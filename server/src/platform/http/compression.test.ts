import { gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { compressAnswers } from './compression.ts'

const large = { text: 'cold chain '.repeat(4_000) }
const app = fastify()
compressAnswers(app)
app.get('/large', () => large)
app.get('/small', () => ({ ok: true }))
app.get('/text', (_, reply) => reply.type('text/csv').send('a,b\n'.repeat(10_000)))
const get = (url: string, encoding?: string) =>
  app.inject({ url, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } })

test('a large JSON answer travels compressed to who takes it', async () => {
  const answer = await get('/large', 'br, gzip;q=0.8')
  expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  expect(answer.rawPayload.length).toBeLessThan(2_000)
  expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length)
  expect(JSON.parse(gunzipSync(answer.rawPayload).toString())).toEqual(large)
})

test('who does not ask for it gets it plain', async () => {
  for (const encoding of [undefined, 'br', 'gzip;q=0', 'gzip; q=0.0, br']) {
    const answer = await get('/large', encoding)
    expect(answer.headers['content-encoding'], encoding).toBeUndefined()
    expect(answer.json()).toEqual(large)
  }
})

test('small answers and files are left as they are', async () => {
  expect((await get('/small', 'gzip')).headers['content-encoding']).toBeUndefined()
  expect((await get('/text', 'gzip')).headers['content-encoding']).toBeUndefined()
})
