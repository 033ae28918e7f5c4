import { countWords } from '@isotherm/contract/common.ts'
import { limits } from '@isotherm/contract/limits.ts'
import { MantineProvider } from '@mantine/core'
import i18next from 'i18next'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { expect, test } from 'vitest'
import texts from '../../../contract/locales/en/common.json' with { type: 'json' }
import { DescriptionField } from './words-left.tsx'

const i18n = i18next.createInstance()
await i18n.init({ lng: 'en', defaultNS: 'common', resources: { en: { common: texts } } })

const shown = (value: string) =>
  renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <MantineProvider>
        <DescriptionField label="Description" value={value} readOnly />
      </MantineProvider>
    </I18nextProvider>,
  )

test('words are what stands between white space', () => {
  expect(countWords('')).toBe(0)
  expect(countWords('  one\ntwo\tthree ')).toBe(3)
})

test('a description counts its words down', () => {
  expect(shown('')).toContain('150 words left of 150')
  expect(shown('word '.repeat(149))).toContain('1 word left of 150')
})

test('a description of more than 150 words is refused at the field', () => {
  expect(shown('word '.repeat(limits.descriptionWords))).not.toContain('At most 150 words')
  expect(shown('word '.repeat(limits.descriptionWords + 1))).toContain('At most 150 words')
})
