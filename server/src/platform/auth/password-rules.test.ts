import { describe, expect, test } from 'vitest'
import type { InvalidInput } from '../errors/app-error.ts'
import { checkNewPassword } from './password-rules.ts'

const owner = { fullname: 'Ada Obiora', email: 'ada.obiora@coldhub.test', companyName: 'Lagos Cold Stores' }
const verdict = (password: string, who = owner) =>
  checkNewPassword(password, who, 'newPassword').then(
    () => 'taken',
    (error: InvalidInput) => {
      expect(error.problems[0]?.path).toBe('newPassword')
      return error.problems[0]?.message.key.replace('fields.rule.', '')
    },
  )

describe('a new password (M11)', () => {
  test.each([
    ...['1234567890', 'qwertyuiop', 'QWERTYUIOP', 'Password123!', 'P@ssw0rd2026', '!!dragon!!2024', 'abababababab'],
    ...['1q2w3e4r5t', 'iloveyou12', 'sunshine99999'],
  ])('%s is among those that are guessed first', async (password) => {
    expect(await verdict(password)).toBe('passwordCommon')
  })

  test.each([
    ...[
      'isotherm2026',
      '1s0th3rm-2026',
      'AdaObiora1990',
      'obiora!!obiora',
      'ada.obiora@coldhub.test',
      'lagoscoldstores',
    ],
    ...['ColdHub-2026-11', 'Lagos-Stores-7'],
  ])('%s is made of names', async (password) => {
    expect(await verdict(password)).toBe('passwordPersonal')
  })

  test.each([
    ...[
      'correct horse battery',
      'another cold winter',
      'isotherm keeps my fridge',
      'Zk4-vv2Qmm1x',
      'MfY9-obiora-wetland',
    ],
    ...['mvua kubwa ya usiku', 'été en Provence', '82039485710'],
  ])('%s is taken', async (password) => {
    expect(await verdict(password)).toBe('taken')
  })

  test('what people are called matters only with four letters and more', async () => {
    expect(await verdict('weonio-84-ng', { fullname: 'Wu Li', email: 'li@a.io', companyName: 'We' })).toBe('taken')
  })
})

test('the list has far more long passwords than the ten thousand most used (M11)', async () => {
  const { passwordList } = await import('./password-list.ts')
  const { long, words } = await passwordList()
  expect(long.size).toBeGreaterThan(100_000)
  expect(words.size).toBe(10_000)
})
