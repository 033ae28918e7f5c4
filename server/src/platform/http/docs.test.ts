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
  const base = `${await app.listen({ host: '127.0.0.1', port: 0 })}${apiBase}`
  const ask = async (path: string) => {
    const answer = await fetch(`${base}/${path}`)
    return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.text() }
  }
  // The first call of all prepares fastify and loads what `fetch` needs, which is no work of the document.
  expect((await ask('docs')).status).toBe(200)
  const answers: Awaited<ReturnType<typeof ask>>[] = []
  const held = await longestTurn(async () => {
    answers.push(...(await Promise.all([ask('openapi.json'), ask('openapi.json')])))
  })
  expect(held).toBeLessThan(100)
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers[0]?.type).toBe('application/json; charset=utf-8')
  expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ openapi: '3.1.0', paths: { [`${apiBase}/devices`]: {} } })
  expect(JSON.parse((await ask('openapi-3.0.json')).body)).toMatchObject({
    ...{ openapi: '3.0.3', paths: { [`${apiBase}/devices`]: {} }, 'x-webhooks': {} },
  })
  for (let i = 0; i < 20; i++) expect((await ask('openapi.json')).body).toBe(answers[0]?.body)
  // Kept: all of these answers are of one thread.
  expect(threads).toBe(1)
})
