import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { tableOf, writeCsv } from './tables.ts'

test('a title of a file has plain spaces, so that programs find its column', async () => {
  let text = ''
  const out = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  const column = { header: 'Humidité\u00a0%\u202f; début', width: 10, value: () => 'a\u00a0: b' }
  await writeCsv(out, tableOf('t', [column], [[{}]]), 'UTC')
  expect(text).toBe('\ufeff"Humidité % ; début"\r\n"a\u00a0: b"\r\n')
})
