import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { SentFile } from '../../../test/form.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { buildRecord } from '../../../test/record-factory.ts'

// The test file of antivirus makers, in two pieces so that this source is none.
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

let t: TestApp
let clamd: Server
/** Bytes of each file that was scanned whole. */
let scanned: string[] = []
let isMute = false
beforeAll(async () => {
  clamd = speaksLikeClamd()
  await new Promise<void>((done) => clamd.listen(0, '127.0.0.1', done))
  const { port } = clamd.address() as AddressInfo
  t = await startTestApp({ clamd: { host: '127.0.0.1', port } })
})
afterAll(async () => {
  await t.close()
  clamd.close()
})

/** As clamd answers zINSTREAM, with one signature. */
function speaksLikeClamd(): Server {
  return createServer((socket) => {
    let got = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (part) => {
      got = Buffer.concat([got, part])
      const command = 'zINSTREAM\0'
      if (got.length < command.length + 4) return
      expect(got.subarray(0, command.length).toString()).toBe(command)
      const pieces: Buffer[] = []
      for (let at = command.length; at + 4 <= got.length; ) {
        const length = got.readUInt32BE(at)
        if (length === 0) return answer(Buffer.concat(pieces).toString('latin1'))
        if (at + 4 + length > got.length) return
        pieces.push(got.subarray(at + 4, at + 4 + length))
        at += 4 + length
      }
    })
    function answer(text: string) {
      scanned.push(text)
      if (isMute) socket.destroy()
      else socket.end(text.includes('EICAR-STANDARD') ? 'stream: Eicar-Signature FOUND\0' : 'stream: OK\0')
    }
  })
}

async function recordOf() {
  const admin = await buildUser(t)
  const device = await buildDevice(t, { companyId: admin.companyId })
  const { id } = await buildRecord(t, { companyId: admin.companyId, deviceIds: [device.id] })
  const attach = (text: string, user = admin) =>
    t.call('POST', `/enterprise/record/${id}/attachments`, {
      token: user.token,
      body: { file: new SentFile('note.txt', text) },
    })
  return { admin, attach }
}

test('a file in which the scanner finds something is refused, another is taken whole (L18)', async () => {
  const { attach } = await recordOf()
  const refused = await attach(eicar)
  expect([refused.status, refused.body.code]).toEqual([400, 'FILE_INFECTED'])
  expect(refused.body.message).toContain('Eicar-Signature')
  const long = 'cold '.repeat(40_000)
  expect((await attach(long)).status).toBe(200)
  expect(scanned).toEqual([eicar, long])
})

test('nothing is scanned for who may not attach it (L18)', async () => {
  const { admin, attach } = await recordOf()
  scanned = []
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  expect((await attach('x', staff)).status).toBe(403)
  expect(scanned).toEqual([])
})

test('while the scanner does not answer, no file is taken (L18)', async () => {
  const { attach } = await recordOf()
  isMute = true
  const mute = await attach('hello')
  isMute = false
  expect([mute.status, mute.body.code, mute.headers['retry-after']]).toEqual([503, 'FILE_NOT_SCANNED', '60'])
  await new Promise((done) => clamd.close(done))
  expect((await attach('hello')).body.code).toBe('FILE_NOT_SCANNED')
})
