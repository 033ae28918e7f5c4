import { expect, test } from 'vitest'
import { openPaper, tabular } from './paper.ts'
import { wordsOf } from './words.ts'

test('a hyphen in a name has the width of a hyphen, one among figures that of a figure', async () => {
  const frame = { head: '', foot: '', total: 1 }
  const { doc } = await openPaper(wordsOf('en', 'UTC'), { title: 'T', author: 'A', locale: 'en' }, frame)
  const width = (text: string) => doc.font('text').fontSize(9).widthOfString(text, { features: tabular })
  const plain = (text: string) => doc.font('text').fontSize(9).widthOfString(text)
  expect(width('Konaté-Traoré')).toBeCloseTo(plain('Konaté-Traoré'))
  expect(width('SHA-256')).toBeCloseTo(plain('SHA-256'))
  expect(width('11-11')).toBeCloseTo(width('22-22'))
  expect(width('-')).toBeGreaterThan(plain('-'))
})
