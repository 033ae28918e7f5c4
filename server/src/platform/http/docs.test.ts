import { apiBase } from '@isotherm/contract/call.ts'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { longestTurn } from '../../../test/longest-turn.ts'
import { serveDocs } from './docs.ts'

test('the document is made beside the server’s own thread, at the first request, and kept', async () => {
  const app = fastify()
  onTestFinished(() => app.close())
  serveDocs(app)
  let threads = 0
  const count = () => threads++
  process.on('worker', count)
  onTestFinished(() => void process.off('worker', count))
  const ask = () => app.inject(`${apiBase}/openapi.json`)
  // The first call of all prepares fastify and loads what `inject` needs, which is no work of the document.
  expect((await app.inject(`${apiBase}/docs`)).statusCode).toBe(200)
  const answers: Awaited<ReturnType<typeof ask>>[] = []
  const held = await longestTurn(async () => {
    answers.push(...(await Promise.all([ask(), ask()])))
  })
  expect(held).toBeLessThan(100)
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect(answers[0]?.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answers[0]?.json()).toMatchObject({ openapi: '3.1.0', paths: { [`${apiBase}/devices`]: {} } })
  expect((await app.inject(`${apiBase}/openapi-3.0.json`)).json()).toMatchObject({
    ...{ openapi: '3.0.3', paths: { [`${apiBase}/devices`]: {} }, 'x-webhooks': {} },
  })
  for (let i = 0; i < 20; i++) expect((await ask()).body).toBe(answers[0]?.body)
  // Kept: all of these answers are of one thread.
  expect(threads).toBe(1)
})
