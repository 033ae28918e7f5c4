import { expect, test } from 'vitest'
import { refuseWords } from './refuse-words.ts'

test('a command without words that is only asked about does nothing', () => {
  for (const name of ['start', 'demo', 'migrate']) {
    expect(() => refuseWords(name, ['--help'])).toThrow(`"${name}" takes no words`)
    expect(() => refuseWords(name, [])).not.toThrow()
  }
  expect(() => refuseWords('provider', ['devices', 'list'])).not.toThrow()
})
