import { expect, test } from 'vitest'
import { countryOfPhone } from './phone-country.ts'

test.each([
  ['+2348012345678', 'NG'],
  ['+254712345678', 'KE'],
  ['+33612345678', 'FR'],
  ['+262692123456', 'RE'],
  ['+262639123456', 'YT'],
  ['+12125550123', 'US'],
  ['+14165550123', 'CA'],
  ['+18765550123', 'JM'],
  ['+18095550123', 'DO'],
  ['+447400123456', 'GB'],
  ['+447700900123', 'GB'],
  ['+447700312345', 'JE'],
  ['+447797712345', 'JE'],
  ['+79161234567', 'RU'],
  ['+77010001234', 'KZ'],
  ['+5999123456', 'CW'],
])('%s is a number of %s', (phone, country) => {
  expect(countryOfPhone(phone)).toBe(country)
})

test.each(['+881631234567', '+999123456789', '', 'https://example.test'])('%s is of no country', (phone) => {
  expect(countryOfPhone(phone)).toBeNull()
})
