import { expect, test } from 'vitest'
import { pastedPosition } from './contact-values.ts'

test.each([
  ['6.4489, 3.3592', { lat: 6.4489, lon: 3.3592 }],
  [' -1.2833,36.8167\n', { lat: -1.2833, lon: 36.8167 }],
  ['6.4489\t3.3592', { lat: 6.4489, lon: 3.3592 }],
  ['\u221233.9185; 18.429', { lat: -33.9185, lon: 18.429 }],
  ['6,4489; 3,3592', { lat: 6.4489, lon: 3.3592 }],
  ['6,4489, 3,3592', { lat: 6.4489, lon: 3.3592 }],
  ['6,4489 3,3592', { lat: 6.4489, lon: 3.3592 }],
])('%j is both coordinates', (text, position) => expect(pastedPosition(text)).toEqual(position))

test.each(['6.4489', '6,4489', '6,60', '12,5 3', '95.1, 3.2', '6.4489, 181.5', '6.4489, 3.3592, 12.5', 'Apapa', ''])(
  '%j is not: it is left to the field',
  (text) => expect(pastedPosition(text)).toBeNull(),
)
