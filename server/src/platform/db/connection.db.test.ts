import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { connectionOf } from './connection.ts'

test('sessions are in UTC, whatever zone the database is set to', async () => {
  const { url, drop } = await testDatabase()
  onTestFinished(drop)
  const ask = async (config: pg.ClientConfig, text: string) => {
    const client = new pg.Client(config)
    await client.connect()
    try {
      return (await client.query(text)).rows[0]?.TimeZone
    } finally {
      await client.end()
    }
  }
  const own = { connectionString: url }
  await ask(own, `alter database ${new URL(url).pathname.slice(1)} set timezone = 'Asia/Kolkata'`)
  expect(await ask(own, 'show timezone')).toBe('Asia/Kolkata')
  expect(await ask(connectionOf(url), 'show timezone')).toBe('UTC')
})
