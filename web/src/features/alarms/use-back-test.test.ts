import type { BackTest } from '@isotherm/contract/back-test.ts'
import { expect, test } from 'vitest'
import { together } from './use-back-test.ts'

const part = (over: Partial<BackTest>): BackTest => ({
  from: '2026-10-21T00:00:00.000Z',
  to: '2026-11-20T00:00:00.000Z',
  devices: 3,
  short: 0,
  count: 1,
  firings: [],
  smsUnits: 6,
  chatUnits: 0,
  mails: 1,
  progress: 0.5,
  cursor: 'x',
  ...over,
})

test('stretches add up, and the newest answer says how far it is', () => {
  const sum = together(part({}), part({ count: 2, smsUnits: 4, progress: 1, cursor: null }))
  expect(sum).toMatchObject({ count: 3, smsUnits: 10, mails: 2, progress: 1, cursor: null })
})
