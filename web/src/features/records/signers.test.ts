import { expect, test } from 'vitest'
import { signersOf } from './signers.ts'

const signed = (signerName: string, signedAt: string, changed: string[] = []) => ({ signerName, signedAt, changed })
const signatures = [
  signed('Amina', '2026-11-20T10:00:00.000Z'),
  signed('Bola', '2026-11-20T12:00:00.000Z'),
  signed('Bola', '2026-11-20T13:00:00.000Z'),
  signed('Chidi', '2026-11-20T14:00:00.000Z', ['notes']),
]
const record = { signatures } as Parameters<typeof signersOf>[0]
const at = '2026-11-20T11:00:00.000Z'

test('a new part voids all signatures that stand', () => expect(signersOf(record)).toEqual(['Amina', 'Bola']))

test('the removal of a part voids them as well', () =>
  expect(signersOf(record, { at, isAddendum: false })).toEqual(['Amina', 'Bola']))

test('the removal of an addendum voids those that were given after it', () =>
  expect(signersOf(record, { at, isAddendum: true })).toEqual(['Bola']))
