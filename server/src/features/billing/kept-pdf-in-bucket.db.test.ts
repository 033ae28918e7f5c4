import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { describeMoney } from '../../../test/money-scene.ts'
import { startS3 } from '../../../test/s3-server.ts'
import { openFiles } from '../../platform/files/files.ts'

const s3 = await startS3()
const { t, peer, buyer: aBuyer } = await describeMoney({ fileStore: s3.store })
afterAll(s3.stop)

test('the PDF of an invoice lies in the bucket; one that is damaged or lost there is made again as it was', async () => {
  const buyer = await aBuyer()
  const begun = await buyer.begin()
  await peer.press(begun.url, 'pay')
  const { id } = (await buyer.check(begun.id)).body.payload.invoice
  const pdf = async () => {
    const answer = await t.app.inject({
      url: `/app/api/v1/enterprise/billings/${id}/pdf`,
      headers: { authorization: `Bearer ${buyer.token}` },
    })
    expect(answer.statusCode).toBe(200)
    return answer.rawPayload
  }
  const object = async () => {
    const names = await readdir(s3.directory, { recursive: true })
    return join(s3.directory, names.find((name) => name.includes('/invoices/') && name.endsWith('_object')) ?? '')
  }
  const first = await pdf()
  expect(first.subarray(0, 5).toString()).toBe('%PDF-')
  await writeFile(await object(), 'something else')
  expect((await pdf()).equals(first)).toBe(true)
  const [row] = await t.rows<{ file_key: string }>('select file_key from invoice_files')
  await openFiles(t.services.config).remove(row?.file_key ?? '')
  expect((await pdf()).equals(first)).toBe(true)
  expect((await t.mails()).filter(({ subject }) => subject.includes('was lost'))).toEqual([])
  const stranger = await aBuyer()
  expect((await t.call('GET', `/enterprise/billings/${id}/pdf`, { token: stranger.token })).status).toBe(404)
})
