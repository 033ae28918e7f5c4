import { localeNames } from '@isotherm/contract/common.ts'
import { expect, test } from 'vitest'
import { aboutField } from './field-names.ts'

test('a code at the login, or of an authenticator, is called a code and not the reason of a signature', () => {
  expect(aboutField('code', 'This is needed.', 'en')).toBe('Code: This is needed.')
  expect(aboutField('recoveryCode', 'This is needed.', 'en')).toBe('Recovery code: This is needed.')
})

test('what the forms of shipments and of keys ask for has its name in every language', () => {
  const fields = ['hsCode', 'exporterBooking', 'vesselName', 'originId', 'partnerId', 'keys.0', 'webhooks.0']
  for (const locale of localeNames)
    for (const field of fields) expect(aboutField(field, 'x', locale)).not.toContain(field)
  expect(aboutField('originId', 'x', 'es')).toBe('Origen: x')
})

test('a field without a name is said as it was sent', () => {
  expect(aboutField('clientDataJSON', 'x', 'en')).toBe('clientDataJSON: x')
  expect(aboutField('nothing.someId', 'x', 'en')).toBe('nothing.someId: x')
})
