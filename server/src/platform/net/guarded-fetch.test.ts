import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guardedFetch } from './guarded-fetch.ts'

const server = createServer((request, response) => {
  if (request.url === '/silent') return
  if (request.url === '/slow') return void response.writeHead(200).write('{')
  response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.alloc(1_000_000, 32))
})
let address: string
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const get = { method: 'GET', headers: {} }

test('an address that does not answer, or begins and does not end, is given up', async () => {
  for (const path of ['/silent', '/slow'])
    await expect(guardedFetch(true, 50)(address + path, get)).rejects.toThrow('aborted')
})

test('of a huge answer the beginning is read', async () => {
  expect((await (await guardedFetch(true)(`${address}/huge`, get)).text()).length).toBeLessThanOrEqual(65_536)
})

test('inner addresses and addresses without TLS are not asked', async () => {
  await expect(guardedFetch(false)(address, get)).rejects.toThrow('https is needed')
  await expect(guardedFetch(false)('https://127.0.0.1/', get)).rejects.toThrow('the address cannot be reached')
  await expect(guardedFetch(true)(address, { method: 'DELETE', headers: {} })).rejects.toThrow()
})
