import type { TFunction } from 'i18next'
import { afterAll, expect, test } from 'vitest'
import { i18n, loadTexts, setLanguage, startI18n } from '../../lib/i18n.ts'
import { unchangedOf } from './use-trigger-actions.ts'

// Other files of this worker expect English.
afterAll(() => setLanguage('en'))

test.each([
  ['en', '2 alarms resolved; 1 stayed as it was: nothing was left to do'],
  ['fr', '2 alarmes résolues ; 1 est restée inchangée : il n’y avait plus rien à faire'],
  ['es', '2 alarmas resueltas; 1 quedó como estaba: no había nada que hacer'],
  ['sw', 'Kengele 2 zimetatuliwa; 1 imebaki ilivyokuwa: hapakuwa na la kufanya'],
] as const)('in %s the result of a bulk is one sentence', async (locale, text) => {
  await startI18n(['common', 'errors'])
  await setLanguage(locale)
  await loadTexts(['alarms'])
  const t = i18n.getFixedT(locale, 'alarms') as TFunction<'alarms'>
  const plain = (words: string | undefined) => words?.replaceAll(/[\u00a0\u202f]/g, ' ')
  expect(plain(unchangedOf(t, 1)?.(t('done.resolved', { count: 2 })))).toBe(text)
  expect(unchangedOf(t, 0)).toBe(null)
})
