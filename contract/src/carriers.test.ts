import { expect, test } from 'vitest'
import { airlineOfWaybill, airlines, shippingLines } from './carriers.ts'

test('the prefix of a waybill suggests an airline, however it is written', () => {
  for (const text of ['074', '074-1234 5675', ' AWB 07412345675'])
    expect(airlineOfWaybill(text)).toEqual({ code: 'KL', name: 'KLM' })
  expect(airlineOfWaybill('615-12345675')?.name).toBe('DHL')
  for (const text of ['', '07', '999-12345675']) expect(airlineOfWaybill(text)).toBeUndefined()
})

test('each carrier is suggested once', () => {
  for (const names of [airlines, shippingLines])
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
})
