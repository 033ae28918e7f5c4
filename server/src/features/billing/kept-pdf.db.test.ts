import { rm, truncate, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { describeMoney } from '../../../test/money-scene.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { openFiles } from '../../platform/files/files.ts'

const scene = await describeMoney()
const { t, peer } = scene

/** An invoice that is paid, and its PDF as the browser gets it. */
async function invoice() {
  const buyer = await scene.buyer()
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
  const kept = () =>
    inTenant(t.pool, buyer.companyId, async ({ client }) => {
      const { rows } = await client.query<{ file_key: string }>('select file_key from invoice_files')
      return rows
    })
  return { buyer, id, pdf, kept }
}
const pathOf = (key = '') => openFiles(t.services.config).needPath(key)

test('the PDF is kept when it is first made, and nobody can change which file it is', async () => {
  const { buyer, pdf, kept } = await invoice()
  expect(await kept()).toEqual([])
  const [one, two] = await Promise.all([pdf(), pdf()])
  expect(one.equals(two)).toBe(true)
  expect(await kept()).toHaveLength(1)
  for (const statement of [`update invoice_files set file_key = 'x'`, 'delete from invoice_files'])
    await expect(inTenant(t.pool, buyer.companyId, ({ client }) => client.query(statement))).rejects.toThrow(
      'permission denied',
    )
})

test.each([
  ['lost', (path: string) => rm(path)],
  ['cut short', (path: string) => truncate(path, 100)],
  ['another', (path: string) => writeFile(path, 'something else')],
])('a file that is %s is made again with the same bytes, and kept again', async (_how, damage) => {
  const { pdf, kept } = await invoice()
  const first = await pdf()
  const [file] = await kept()
  await damage(await pathOf(file?.file_key))
  expect((await pdf()).equals(first)).toBe(true)
  await t.runJobs()
  expect((await t.mails()).filter(({ subject }) => subject.includes('was lost'))).toEqual([])
  // It is read from the disk again: what is made of other data than the first one would differ.
  expect((await pdf()).equals(first)).toBe(true)
})

test('a kept file is given as it is, and one that cannot be made again as it was is given and told to the operator', async () => {
  const { buyer, id, pdf, kept } = await invoice()
  const first = await pdf()
  // As another version of a library would: the document would come out in another way now.
  await t.pool.query('alter table invoices no force row level security')
  await t.pool.query(`update invoices set seller = seller || '{"name": "Seller Renamed"}' where id = $1`, [id])
  await t.pool.query('alter table invoices force row level security')
  expect((await pdf()).equals(first)).toBe(true)
  const [file] = await kept()
  await rm(await pathOf(file?.file_key))
  const other = await pdf()
  expect(other.equals(first)).toBe(false)
  expect(other.subarray(0, 5).toString()).toBe('%PDF-')
  const told = (await t.mails()).filter(({ subject }) => subject.includes('was lost'))
  expect(told.map(({ to }) => to)).toEqual(['desk@seller.test'])
  expect(told[0]?.text).toContain(`Company ${buyer.companyId}`)
})

test('invoices of a period are CSV for those who may export', async () => {
  const { buyer } = await invoice()
  const [serial] = await buyer.serials()
  const get = (query: Record<string, string> = {}, token = buyer.token) =>
    t.call('GET', '/enterprise/billings/export', { token, query })
  const { body } = await get()
  expect(body.replaceAll('"', '')).toContain(
    `${serial},invoice,${t.clock.now().toISOString()},,NGN,5500,412.5,5912.5,Acme Foods,NG`,
  )
  const day = (days: number) => new Date(t.clock.now().getTime() + days * 86_400_000).toISOString()
  expect((await get({ from: day(-9), to: day(-8) })).body).not.toContain(serial)
  const crossed = await get({ from: day(1), to: day(0) })
  expect([crossed.status, crossed.body.fields.from]).toEqual([422, ['Start date cannot be later than End date']])
  const manager = await scene.buyer({ company: buyer, role: 'manager' })
  expect((await get({}, manager.token)).status).toBe(403)
  const wallet = await t.call('GET', '/wallet/sms/transactions/export', { token: buyer.token })
  expect(wallet.body.replaceAll('"', '')).toContain(`,bought,1000,1000,,${serial}`)
})
