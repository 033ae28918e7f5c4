import { describe, expect, test } from 'vitest'
import { readLabel } from './label-link.ts'

describe('the link of a label', () => {
  test.each([
    { search: '', hash: '#imei=490154203237518&code=ABCD-0123-EFGH' },
    { search: '?imei=490154203237518&code=abcd0123efgh', hash: '' },
    { search: '?imei=1&code=x', hash: '#imei=490154203237518&code=ABCD-O123-EFGH' },
  ])('gives IMEI and code: %j', (address) => {
    expect(readLabel(address)).toEqual({ imei: '490154203237518', code: 'ABCD-0123-EFGH' })
  })

  test('is not there in other addresses', () => {
    expect(readLabel({ search: '', hash: '' })).toBeNull()
    expect(readLabel({ search: '?page=2', hash: '#part' })).toBeNull()
  })

  test('keeps no number that is not an IMEI', () => {
    expect(readLabel({ search: '?imei=12<b>&code=ABCD', hash: '' })).toEqual({ imei: '', code: 'ABCD' })
  })
})
