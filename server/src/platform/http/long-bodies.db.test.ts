import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'

const t = describeApp()

const csv = `imei,name\n${'860000000000000,Fridge\n'.repeat(10_000)}`
const upload = ({ token }: TestUser) =>
  t.call('POST', '/devices/setup/bulk', { token, body: { csv, dryRun: true } }).then(({ status }) => status)

test('a long body of a company that has sent too much of them waits, and another company’s is answered meanwhile', async () => {
  const [busy, calm] = [await buildUser(t), await buildUser(t)]
  t.services.pace.spent(busy.companyId, 1_000)
  const order: string[] = []
  const waiting = upload(busy).then((status) => order.push(`busy ${status}`))
  await upload(calm).then((status) => order.push(`calm ${status}`))
  await waiting
  expect(order).toEqual(['calm 422', 'busy 422'])
})

test('a short body is answered at once, whatever its company has sent before', async () => {
  const busy = await buildUser(t)
  t.services.pace.spent(busy.companyId, 1_000)
  const order: string[] = []
  const waiting = upload(busy).then(() => order.push('long'))
  await t.call('POST', '/groups', { token: busy.token, body: { name: 'Vans' } }).then(() => order.push('short'))
  await waiting
  expect(order).toEqual(['short', 'long'])
})

test('where twenty of a company’s long bodies wait, the next one is told to come again', async () => {
  const busy = await buildUser(t)
  t.services.pace.spent(busy.companyId, 3_000)
  for (let n = 0; n < 20; n++) t.services.pace.when(busy.companyId, () => {})
  const answer = await t.call('POST', '/devices/setup/bulk', { token: busy.token, body: { csv, dryRun: true } })
  expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 'BUSY', '5'])
})

const form = { 'content-type': 'multipart/form-data; boundary=x' }

test('of one network so many long bodies without a login are in memory at once, however slowly they come', async () => {
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = t.app.server.address() as AddressInfo
  /** Begins to send a form that says how long it is, and sends no more of it. */
  const begin = (path: string) => {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const head = `POST /app/api/v1${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${form['content-type']}`
    socket.write(`${head}\r\ncontent-length: 3000000\r\n\r\n--x\r\n`)
    return socket
  }
  const sockets = [...Array(6).fill('/track/handover'), '/drive/handover'].map(begin)
  expect(await Promise.any(sockets.map((socket) => text(socket)))).toMatch(/^HTTP\/1.1 503 /)
  const open = sockets.filter(({ bytesRead }) => bytesRead === 0)
  expect(open).toHaveLength(6)
  const send = async (bytes: number, remoteAddress = '127.0.0.1') => {
    const request = { method: 'POST', url: '/app/api/v1/track/handover', headers: form, remoteAddress } as const
    return (await t.app.inject({ ...request, payload: 'x'.repeat(bytes) })).json().code
  }
  expect([await send(100_000), await send(100), await send(100_000, '192.0.2.1')]).toEqual([
    ...['BUSY', 'MALFORMED_BODY', 'MALFORMED_BODY'],
  ])
  open[0]?.destroy()
  await expect.poll(() => send(100_000)).toBe('MALFORMED_BODY')
})
