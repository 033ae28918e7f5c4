import { afterEach, expect, test } from 'vitest'
import { i18n } from '../../lib/i18n.ts'
import { writeWarningValue } from './warning-value.ts'

const language = i18n.language
afterEach(() => {
  i18n.language = language
})

test.each([
  ['en', ['31 Jan 2026', '9.4\u202f°C', '\u22124.0\u202f°C', '12\u202f%', '–', '']],
  ['fr', ['31 janv. 2026', '9,4\u202f°C', '\u22124,0\u202f°C', '12\u202f%', '–', '']],
])('in %s the value of a warning is written as all days and figures are', (locale, written) => {
  i18n.language = locale
  expect(['2026-01-31', '9.4 °C', '-4.0 °C', '12 %', '–', ''].map(writeWarningValue)).toEqual(written)
})
