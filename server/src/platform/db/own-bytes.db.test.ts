import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'

const t = describeApp()

test('bytes of the database have memory of their own, so that a hash which is kept keeps nothing else', async () => {
  for (const length of [0, 1, 32, 5_000, 100_000]) {
    const written = Buffer.alloc(length, 'Isotherm \\x00 ÿ')
    const { rows } = await t.pool.query<{ bytes: Buffer }>('select $1::bytea as bytes', [written])
    const bytes = rows[0]?.bytes ?? Buffer.from('none')
    expect(bytes.equals(written)).toBe(true)
    expect(bytes.buffer.byteLength).toBe(length)
  }
})

test('bytes that PostgreSQL writes in its older form are read, too', async () => {
  const client = await t.pool.connect()
  try {
    await client.query("set bytea_output = 'escape'")
    const { rows } = await client.query<{ bytes: Buffer }>(String.raw`select '\x005c41ff'::bytea as bytes`)
    expect(rows[0]?.bytes).toEqual(Buffer.from([0, 0x5c, 0x41, 0xff]))
  } finally {
    client.release(true)
  }
})
