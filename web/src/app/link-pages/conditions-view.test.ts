// @vitest-environment page
import type { StopConditions } from '@isotherm/contract/order-links.ts'
import { expect, test } from 'vitest'
import { conditionsView } from './conditions-view.ts'
import { loadWords } from './words.ts'

const at = '2026-11-27T09:00:00.000Z'
const conditions: StopConditions = {
  ...{ from: '2026-11-27T08:00:00.000Z', to: at, verdict: 'outOfRange', now: null },
  ...{ limits: { min: 2, max: 8 }, worst: { temperatureC: 8.04, at, isOutside: true }, outMs: 20_000 },
  humidity: { limits: { min: null, max: 60 }, worstPct: 60.4, at, outMs: 20_000 },
  ...{ coveragePct: 99.7, budget: { state: 'spent', leftPct: 87 }, readings: 20, devices: 1 },
}

test('no figure contradicts the verdict that it stands beside', async () => {
  await loadWords(['receiverPage'], 'en')
  const shown = (of: Partial<StopConditions> = {}) => {
    const facts = conditionsView({ ...conditions, ...of }, null, 'Africa/Lagos').querySelectorAll('dt')
    return Object.fromEntries([...facts].map((name) => [name.textContent, name.nextElementSibling?.textContent]))
  }
  expect(shown()).toMatchObject({
    ...{ 'Budget left': 'Used up', 'Out of range': '1 min', 'Humidity out of range': '1 min' },
    ...{ Measured: '99.7\u202f%', 'Humidity should be': '≤ 60\u202f%' },
    'Worst value': expect.stringMatching(/^8\.04\s°C/),
    'Worst humidity': expect.stringMatching(/^60\.4\s%/),
  })
  expect(shown({ coveragePct: 100, budget: { state: 'low', leftPct: 24.9 }, outMs: 0 })).toMatchObject({
    ...{ 'Budget left': '24\u202f%', Measured: '100\u202f%', 'Out of range': '0 mins' },
  })
})
