import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { SentFile } from '../../../test/form.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { buildRecord } from '../../../test/record-factory.ts'
import { startS3 } from '../../../test/s3-server.ts'

let s3: Awaited<ReturnType<typeof startS3>>
let t: TestApp
let admin: TestUser
let path: string
beforeAll(async () => {
  s3 = await startS3()
  t = await startTestApp({ fileStore: s3.store })
  admin = await buildUser(t)
  const device = await aDevice(t, { companyId: admin.companyId })
  const { id } = await buildRecord(t, { companyId: admin.companyId, deviceIds: [device.id] })
  path = `/enterprise/record/${id}`
})
afterAll(async () => {
  await t?.close()
  await s3?.stop()
})

const attach = () => {
  const file = new SentFile('seal.txt', Buffer.from('seal 4711'))
  return t.call('POST', `${path}/attachments`, { token: admin.token, body: { file } })
}
const attachments = async () => (await t.call('GET', path, { token: admin.token })).body.payload.attachments as object[]

test('a file that is attached lies in the bucket, and is read from there by those of the company only', async () => {
  const { body } = await attach()
  const file = `/enterprise/record-attachments/${body.payload.id}`
  expect((await t.call('GET', file, { token: admin.token })).body).toBe('seal 4711')
  const stranger = await buildUser(t)
  expect((await t.call('GET', file, { token: stranger.token })).status).toBe(404)
})

test('a report is built, kept in the bucket, downloaded and mailed with its file', async () => {
  const asked = await t.call('POST', `${path}/report`, { token: admin.token, body: {} })
  const mails = await t.mails()
  expect(mails.at(-1)?.attachments).toHaveLength(1)
  const file = `/enterprise/record-reports/${asked.body.payload.id}/file`
  const got = await t.call('GET', file, { token: admin.token })
  expect([got.status, String(got.body).slice(0, 5)]).toEqual([200, '%PDF-'])
})

test('while the bucket does not answer a file is refused, and nothing is half done', async () => {
  const before = await attachments()
  await s3.stop()
  const refused = await attach()
  expect([refused.status, refused.body.code]).toEqual([503, 'FILES_UNREACHABLE'])
  expect(await attachments()).toEqual(before)
})
