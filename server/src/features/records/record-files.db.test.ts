import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { SentFile } from '../../../test/form.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t.close())

describe('files', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  )
  const jpeg = Buffer.from(
    'ffd8ffe000104a46494600010100000100010000ffc0000b080001000101011100ffda0008010100003f0000ffd9',
    'hex',
  )
  const webp = Buffer.from('5249464612000000574542505650384c060000002f0000000000', 'hex')
  const page = Buffer.from('<html><script>alert(1)</script>')
  const attach = async (name: string, content: Buffer | string) => {
    const { token, companyId } = await buildUser(t)
    const ask = (method: 'GET' | 'POST', path: string, body?: object) =>
      t.call(method, path, { token, ...(body && { body }) })
    const device = await buildDevice(t, { companyId })
    const made = await ask('POST', '/enterprise/record', { name: 'Papers', deviceIds: [String(device.id)] })
    const { id } = made.body.payload
    const details = async () => (await ask('GET', `/enterprise/record/${id}`)).body.payload
    const file = new SentFile(name, Buffer.from(content))
    const answer = await ask('POST', `/enterprise/record/${id}/attachments`, { file })
    return { ask, details, answer }
  }

  test.each([
    ['photo.png', png, 'png'],
    ['scan.pdf', '%PDF-1.7\n1 0 obj\n%%EOF\n', 'pdf'],
    ['picture.JPEG', jpeg, 'jpg'],
    ['camera.jpg', Buffer.concat([jpeg, jpeg]), 'jpg'],
    ['photo.webp', webp, 'webp'],
    ['weights.csv', 'pallet;kg\nA;412\n', 'csv'],
    ['seal.txt', 'Seal 4711, dock 3: «entier»', 'txt'],
  ])('%s is taken, and offered as a download under a name of ours', async (name, content, type) => {
    const { answer, ask } = await attach(name, content)
    expect([answer.status, answer.body.payload?.type]).toEqual([200, type])
    const got = await ask('GET', `/enterprise/record-attachments/${answer.body.payload.id}`)
    expect(got.headers['content-disposition']).toMatch(
      new RegExp(`^attachment; filename="record-\\d+-file-\\d+\\.${type}"$`),
    )
    expect(got.headers['x-content-type-options']).toBe('nosniff')
  })

  test.each([
    ['invoice.png', '<!DOCTYPE html><script>alert(1)</script>', 'FILE_REFUSED', 'HTML'],
    ['drawing.txt', '<svg onload="x()">', 'FILE_REFUSED', 'HTML'],
    ['bomb.png', Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(64)]), 'FILE_REFUSED', 'ZIP'],
    ['bomb.csv', Buffer.concat([Buffer.from('1f8b08', 'hex'), Buffer.alloc(64)]), 'FILE_REFUSED', 'GZIP'],
    ['tool.pdf', Buffer.from('4d5a90000300', 'hex'), 'FILE_REFUSED', 'EXE'],
    ['head.png', Buffer.concat([png.subarray(0, 33), page]), 'FILE_REFUSED', '?'],
    ['tail.png', Buffer.concat([png, page]), 'FILE_REFUSED', '?'],
    ['start.jpg', Buffer.concat([jpeg.subarray(0, 3), page]), 'FILE_REFUSED', '?'],
    ['cut.jpg', jpeg.subarray(0, -2), 'FILE_REFUSED', '?'],
    ['tail.webp', Buffer.concat([webp, page]), 'FILE_REFUSED', '?'],
    ['start.pdf', Buffer.concat([Buffer.from('%PDF-1.7\n'), page]), 'FILE_REFUSED', 'HTML'],
    ['weights.pdf', 'a;b\n1;2\n', 'FILE_MISNAMED', 'TXT'],
    ['photo.pdf', png, 'FILE_MISNAMED', 'PNG'],
  ])('%s is refused for what it holds', async (name, content, code, found) => {
    const { answer, details } = await attach(name, content)
    expect([answer.status, answer.body.code]).toEqual([400, code])
    expect(answer.body.message).toContain(found)
    expect((await details()).attachments).toEqual([])
  })

  test('one that is too large is refused', async () => {
    const { answer } = await attach('large.txt', 'x'.repeat(8 * 1024 * 1024 + 10))
    expect([413, 422]).toContain(answer.status)
  })
})
