import { describe, expect, test } from 'vitest'
import { checkImei } from './identifiers.ts'

describe('an IMEI', () => {
  test.each(['490154203237518', '356938035643809'])('%s keeps its check digit', (imei) => {
    expect(checkImei(imei)).toBe('ok')
  })

  test.each(['490154203237517', '356938035643800'])('%s breaks it, which may be overridden', (imei) => {
    expect(checkImei(imei)).toBe('luhn')
  })

  test.each(['49015420323751', '4901542032375180', '49015420323751a', ' 490154203237518', '', '٤٩٠١٥٤٢٠٣٢٣٧٥١٨'])(
    '%j is none',
    (text) => {
      expect(checkImei(text)).toBe('malformed')
    },
  )

  test('one changed digit is always noticed', () => {
    const imei = '490154203237518'
    for (let index = 0; index < imei.length; index++)
      for (const digit of '0123456789')
        if (digit !== imei[index]) expect(checkImei(imei.slice(0, index) + digit + imei.slice(index + 1))).toBe('luhn')
  })
})
