// @vitest-environment page
import type { ShipmentTreatment, TreatmentClock } from '@isotherm/contract/cold-treatments.ts'
import { afterEach, expect, test } from 'vitest'
import { eventually, find, leave, logInAs, serve, show } from '../../../test/show.tsx'
import { ColdTreatment } from './cold-treatment.tsx'

const hourMs = 3_600_000
const clock: TreatmentClock = {
  ...{ state: 'running', row: { maxC: 1.11, days: 14 }, startedAt: '2026-11-10T00:00:00Z', provenAt: null },
  ...{ requiredMs: 336 * hourMs, provenMs: 168 * hourMs, elapsedMs: 170 * hourMs, leftMs: 168 * hourMs },
  ...{ knownUntil: '2026-11-17T02:00:00Z', forecastAt: '2026-11-24T02:00:00Z', marginC: 0.11 },
  limiting: { deviceId: '2', celsius: 1, at: '2026-11-12T00:00:00Z' },
  unproven: [{ reason: 'gap', deviceId: '3', from: '2026-11-13T00:00:10Z', to: '2026-11-13T02:00:20Z', isOpen: false }],
  ...{ unprovenCount: 1, interruptions: [], interruptionCount: 0, waitsFor: null, silent: [], missingProbes: 0 },
  ...{ tooColdHours: 0, coldest: null, notPrecooled: [], toReplace: [], warmAfter: null },
  breaks: [
    { aboveC: 1.11, delayMs: 48 * hourMs, restarts: false },
    { aboveC: 2.22, delayMs: 170 * hourMs, restarts: true },
  ],
}
const probes = ['1', '2', '3'].map((id) => ({
  ...{ id, name: `Probe ${id}x`, place: `pulp${id}` as 'pulp1', offsetC: id === '1' ? -0.1 : null },
  ...{ certificateNo: id === '1' ? 'C-17' : null, calibratedOn: null, dueOn: null },
}))
const treated = (own: Partial<TreatmentClock> = {}, hidden = 0): ShipmentTreatment => ({
  treatment: {
    protocol: {
      ...{ id: 'us-t107-a', market: 'US', commodity: 'Citrus', pest: 'Ceratitis capitata', minC: null, probes: 3 },
      rows: [
        { maxC: 1.11, days: 14 },
        { maxC: 2.22, days: 18 },
      ],
      ...{
        maxGapMin: 60,
        maxStepC: 0.39,
        startC: null,
        precoolC: 2.22,
        source: 'USDA T107-a',
        checkedOn: '2026-11-22',
      },
      verified: true,
    },
    ...{ chosenAt: '2026-11-09T00:00:00Z', chosenByName: 'Amina', verifiedGaps: [], hiddenProbes: hidden, version: 4 },
    carriage: { containers: ['CSQU3054383'], isSealed: true, isInHold: false, isMixed: false, isLoadingNoted: true },
    isOver: false,
    clock: hidden > 0 ? null : { ...clock, ...own },
    seenAt: '2026-11-17T02:00:00Z',
    forecast: { eta: '2026-11-25T09:00:00Z', timezone: 'Europe/Amsterdam', place: 'Rotterdam', spareMs: 31 * hourMs },
    hours: ['2026-11-10T00:00:00Z', '2026-11-10T01:00:00Z', '2026-11-10T05:00:00Z'].map((at) => ({
      ...{ at, celsius: 1, deviceId: '1' },
    })),
  },
  ...{ probes, hiddenProbes: hidden, airDevices: 1 },
})
const page = { data: [], page: 1, perPage: 20, total: 0, lastPage: 1 }

async function open(payload: ShipmentTreatment, role: 'admin' | 'staff' = 'admin') {
  logInAs(role)
  const requests = serve(({ path, method }) => {
    if (path.includes('monitoring-records')) return { payload: page }
    return method === 'GET' || path.endsWith('verified-gaps') ? { payload } : { payload: null }
  })
  await show(<ColdTreatment shipmentId="7" />, { texts: ['coldTreatments'] })
  return requests
}
const text = () => document.body.textContent ?? ''

afterEach(leave)

test('a treatment that runs tells what is proven, what limits it, and when it is over', async () => {
  await open(treated())
  await eventually(() => expect(text()).toContain('Complete 1\u00a0day 7\u00a0hr before Rotterdam'))
  for (const part of [
    'Running',
    '0.11',
    'Probe 2x, 1.00',
    'One hour above 1.11',
    'costs 2\u00a0days',
    'begins it again',
    'C-17',
  ])
    expect(text().replaceAll('\u202f', ' ')).toContain(part)
  expect(text()).toContain('Only the authority declares it complete')
  // The break of four hours.
  expect(document.querySelector('svg path')?.getAttribute('d')?.match(/M/g)).toHaveLength(2)
})

test.each([
  [
    'waiting',
    { waitsFor: { deviceId: '3', celsius: 2.9, at: '2026-11-10T00:00:00Z' }, startedAt: null },
    'Probe 3x is at 2.90',
  ],
  [
    'interrupted',
    { startedAt: null, interruptions: [{ deviceId: '1', celsius: 3.1, at: '2026-11-10T00:00:00Z' }] },
    'Probe 1x was at 3.10',
  ],
  ['proven', { provenAt: '2026-11-24T00:00:00Z' }, 'All time proven'],
] as const)('a treatment that is %s says why', async (state, own, said) => {
  await open(treated({ ...own, state } as Partial<TreatmentClock>))
  await eventually(() => expect(text().replaceAll('\u202f', ' ')).toContain(said))
})

test('a treatment of a shipment that is over does not run', async () => {
  const { treatment, ...more } = treated({ forecastAt: null, breaks: [] })
  await open({ ...more, treatment: treatment && { ...treatment, isOver: true } })
  await eventually(() => expect(text()).toContain('Ended before all time was proven'))
  expect(text()).not.toContain('Running')
})

test('without probes it says what is missing, and that air is indicative only', async () => {
  await open({ treatment: null, probes: [], hiddenProbes: 0, airDevices: 2 })
  await eventually(() => expect(text()).toContain('Air only, indicative'))
  expect(text()).toContain('Probes in fruit: 0 of at least 3')
  expect(document.querySelector('button')).toBeNull()
})

test('who may not see a probe is told so, and sees no clock', async () => {
  await open(treated({}, 1))
  await eventually(() => expect(text()).toContain('Probes that you may not see: 1'))
  expect(text()).not.toContain('Running')
})

test('a gap is verified by name and note, for exactly its time', async () => {
  const requests = await open(treated())
  ;(await find('button', 'An official verified it')).click()
  const type = async (label: string, value: string) => {
    const field = (await eventually(() => {
      const found = [...document.querySelectorAll('label')].find((one) => one.textContent?.startsWith(label))
      const input = found && document.getElementById(found.getAttribute('for') ?? '')
      if (!input) throw new Error(`no field ${label}`)
      return input
    })) as HTMLInputElement
    const kind = field.tagName === 'TEXTAREA' ? HTMLTextAreaElement : HTMLInputElement
    Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(field, value)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  await type('Official', 'J. Naidoo, PPECB')
  await type('Note', 'Read on board')
  ;(await find('button', 'Count this time')).click()
  await eventually(() =>
    expect(requests.find(({ method }) => method === 'POST')).toEqual({
      method: 'POST',
      path: '/export/shipments/7/cold-treatment/verified-gaps',
      body: {
        ...{ from: '2026-11-13T00:00:10Z', to: '2026-11-13T02:00:20Z', by: 'J. Naidoo, PPECB' },
        ...{ note: 'Read on board', version: 4 },
      },
    }),
  )
})
