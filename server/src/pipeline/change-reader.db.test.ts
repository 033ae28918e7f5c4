import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { ChangeReader } from './change-reader.ts'

async function database() {
  const { url, drop } = await testDatabase()
  const clients: pg.Client[] = []
  onTestFinished(async () => {
    for (const client of clients) await client.end()
    await drop()
  })
  return async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    clients.push(client)
    return client
  }
}

const note = (client: pg.Client, subject: string) =>
  client.query('insert into settings_changes (subject) values ($1)', [subject])

test('each change is read once, also one that committed after later ones', async () => {
  const connect = await database()
  const [slow, quick] = [await connect(), await connect()]
  const reader = new ChangeReader()
  await note(quick, 'imei:1')
  expect(await reader.read(quick)).toBe('all')
  expect(await reader.read(quick)).toEqual([])
  await slow.query('begin')
  await note(slow, 'imei:2')
  await note(quick, 'imei:3')
  expect(await reader.read(quick)).toEqual(['imei:3'])
  await slow.query('commit')
  expect(await reader.read(quick)).toEqual(['imei:2'])
  expect(await reader.read(quick)).toEqual([])
})

test('in a database that was restored everything may have changed, whichever way its numbers go', async () => {
  const [first, restored] = [await database(), await database()]
  const [before, after] = [await first(), await restored()]
  const reader = new ChangeReader()
  await reader.read(before)
  expect(await reader.read(before)).toEqual([])
  expect(await reader.read(after)).toBe('all')
  expect(await reader.read(after)).toEqual([])
  await note(after, 'company:1')
  expect(await reader.read(after)).toEqual(['company:1'])
})
