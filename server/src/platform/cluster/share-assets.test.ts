import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fastify from 'fastify'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { AppError } from '../errors/app-error.ts'
import { serveAssets } from '../http/web-app.ts'
import { assetsShared } from './share-assets.ts'

type Handler = (body: unknown) => unknown

let asked: string[]
beforeEach(() => {
  asked = []
})

/** A folder of built files. */
async function folderOf(files: Record<string, string | Buffer>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-assets-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return folder
}

/** A node that asks others with these folders; each question is noted. */
async function nodeWith(own: string, others: string[]) {
  const handlers = others.map((folder) => {
    let handler: Handler = () => null
    const on = (_: string, answer: (body: unknown, from: string) => unknown) => {
      handler = (body) => answer(body, 'asker')
    }
    assetsShared({ on, ask: async () => null, connected: () => [] }, folder)
    return handler
  })
  const find = assetsShared(
    {
      on: () => {},
      connected: () => handlers.map((_, index) => String(index)),
      async ask(peer, kind, body) {
        asked.push(`${peer} ${kind} ${(body as { name: string }).name}`)
        return JSON.parse(JSON.stringify(await handlers[Number(peer)]?.(body)))
      },
    },
    own,
  )
  const app = fastify()
  app.setErrorHandler((error, _, reply) => reply.code(404).send({ code: (error as AppError).code }))
  app.setNotFoundHandler(() => {
    throw new AppError('ROUTE_NOT_FOUND')
  })
  await serveAssets(app, own, find)
  onTestFinished(() => app.close())
  return (name: string, headers: Record<string, string> = {}) => app.inject({ url: `/assets/${name}`, headers })
}

test('a file of another version comes from the node that has it, for ever and as its own kind', async () => {
  const [own, older] = [await folderOf({ 'a-1.js': 'own' }), await folderOf({ 'a-0.js': 'old', 'a-0.css': 'p{}' })]
  const get = await nodeWith(own, [await folderOf({}), older])
  expect((await get('a-1.js')).body).toBe('own')
  expect(asked).toEqual([])
  const answer = await get('a-0.js')
  expect([answer.statusCode, answer.body]).toEqual([200, 'old'])
  expect(answer.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  expect((await get('a-0.css')).headers['content-type']).toBe('text/css; charset=utf-8')
})

test('a browser that takes gzip gets what the other node has packed', async () => {
  const get = await nodeWith(await folderOf({}), [
    await folderOf({ 'b-0.js': 'plain', 'b-0.js.gz': gzipSync('packed') }),
  ])
  const packed = await get('b-0.js', { 'accept-encoding': 'gzip, br' })
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(packed.rawPayload).toString()).toBe('packed')
  expect((await get('b-0.js')).body).toBe('plain')
})

test('a file that no node has is a 404, and is not asked for again soon', async () => {
  const get = await nodeWith(await folderOf({}), [await folderOf({})])
  for (let n = 0; n < 3; n++) {
    const answer = await get('none-0.js')
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'ROUTE_NOT_FOUND'])
  }
  expect(asked).toEqual(['0 asset none-0.js'])
})

test.each([
  '../secret.key',
  '..%2f..%2fsecret.key',
  '.hidden.js',
  'deep/a.js',
  `${'x'.repeat(300)}.js`,
  'a-0.map',
  'a-0.html',
])('nobody is asked for %s', async (name) => {
  const get = await nodeWith(await folderOf({}), [await folderOf({})])
  expect((await get(name)).statusCode).toBe(404)
  expect(asked).toEqual([])
})
