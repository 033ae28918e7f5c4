import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { SentFile } from '../../../test/form.ts'
import { buildRecord } from '../../../test/record-factory.ts'
import { inTenant } from '../../platform/db/transaction.ts'
import { openFiles } from '../../platform/files/files.ts'
import { listFiles } from '../../platform/files/list-files.ts'
import { keepBytes } from '../../platform/files/uploads.ts'
import { findOrphans, sweepOrphans } from './orphans.ts'

const t = describeApp()

const twoDays = 2 * 86_400_000
const aged = async (key: string) => {
  const at = new Date(t.clock.now().getTime() - twoDays)
  await utimes(join(t.services.config.dataDir, 'files', key), at, at)
}
const bytes = Buffer.from('ten degrees')
const keep = async () => (await keepBytes(t.services.config, 'record-attachments', 'txt', bytes)).key
const listed = async () => {
  const names: string[] = []
  for await (const page of listFiles(t.services.config)) names.push(...page.map(({ name }) => name))
  return names
}

async function aRecord() {
  const admin = await buildUser(t)
  const device = await aDevice(t, { companyId: admin.companyId })
  const { id } = await buildRecord(t, { companyId: admin.companyId, deviceIds: [device.id] })
  const attach = (recordId: string) =>
    t.call('POST', `/enterprise/record/${recordId}/attachments`, {
      token: admin.token,
      body: { file: new SentFile('seal.txt', Buffer.from('seal 4711')) },
    })
  return { id, attach }
}

test('a file that no row names goes after a day; one that a row names, and a new one, stay', async () => {
  const { id, attach } = await aRecord()
  expect((await attach(id)).status).toBe(200)
  const [row] = await t.rows<{ file_key: string }>('select file_key from record_attachments')
  const [old, fresh] = [await keep(), await keep()]
  const named = row?.file_key ?? ''
  for (const key of [old, named]) await aged(key)
  const { orphans, next } = await findOrphans(t.services)
  expect([orphans.map(({ name }) => name), next]).toEqual([[old], null])
  await sweepOrphans.run(t.services, {})
  const files = openFiles(t.services.config)
  expect(await files.pathOf(old)).toBeUndefined()
  expect(await files.pathOf(fresh)).toBeDefined()
  expect(await files.pathOf(named)).toBeDefined()
})

test('a part of the store is looked at a turn, and where nearly everything has no row nothing goes', async () => {
  const before = new Set(await listed())
  const made: string[] = []
  for (let index = 0; index < 130; index++) made.push(await keep())
  await Promise.all(made.map(aged))
  const found: string[] = []
  let turns = 0
  for (let after: string | undefined | null; after !== null; turns++) {
    const turn = await findOrphans(t.services, after, 40)
    found.push(...turn.orphans.map(({ name }) => name))
    after = turn.next
  }
  expect(turns).toBeGreaterThan(1)
  expect(found.sort()).toEqual([...made].sort())
  await sweepOrphans.run(t.services, {})
  expect((await listed()).filter((name) => !before.has(name))).toHaveLength(made.length)
})

test('what a refused call brought is removed at once', async () => {
  const { attach } = await aRecord()
  const before = await listed()
  expect((await attach('999999')).status).toBe(404)
  expect(await listed()).toEqual(before)
})

test('a file cannot be kept or removed within a transaction', async () => {
  const admin = await buildUser(t)
  const files = openFiles(t.services.config)
  const file = await files.begin('record-attachments', 'txt')
  await writeFile(file.path, bytes)
  const within = (work: () => Promise<unknown>) => inTenant(t.services.pool, admin.companyId, work)
  await expect(within(() => file.keep())).rejects.toThrow('within a transaction')
  await expect(within(() => files.remove(file.key))).rejects.toThrow('within a transaction')
  await file.keep()
  await files.remove(file.key)
})
