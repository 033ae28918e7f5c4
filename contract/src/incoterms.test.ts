import { expect, test } from 'vitest'
import { betterIncoterm, incoterm } from './incoterms.ts'

test('an Incoterm, those of older editions, and those that were made for ships', () => {
  expect(incoterm(' fob ')).toEqual({ value: 'FOB' })
  expect([incoterm('DAT'), incoterm('DDU')]).toEqual([
    { fault: 'form', didYouMean: 'DPU' },
    { fault: 'form', didYouMean: 'DAP' },
  ])
  expect([incoterm('XYZ'), incoterm('toString')]).toEqual([{ fault: 'form' }, { fault: 'form' }])
  expect(betterIncoterm('FOB', { mode: 'sea', isContainer: true })).toBe('FCA')
  expect(betterIncoterm('CIF', { mode: 'air', isContainer: false })).toBe('CIP')
  expect(betterIncoterm('FOB', { mode: 'sea', isContainer: false })).toBeUndefined()
  expect(betterIncoterm('FCA', { mode: 'air', isContainer: true })).toBeUndefined()
})
