import type { Device } from '@isotherm/contract/devices.ts'

/** A live device in range, for tests. */
export const buildDevice = (overrides: Partial<Device> = {}): Device => ({
  id: '7',
  imei: '490154203237518',
  name: 'Van 3',
  tag: 'Lagos',
  type: 'van',
  status: 'live',
  visibility: 'public',
  intervalS: 600,
  transmission: 'started',
  latest: {
    measuredAt: '2026-11-20T10:00:00.000Z',
    receivedAt: '2026-11-20T10:00:02.000Z',
    temperatureC: 4.5,
    temperatureAt: '2026-11-20T10:00:00.000Z',
    humidityPct: 60,
    humidityAt: '2026-11-20T10:00:00.000Z',
    batteryPct: 80,
    lightLux: null,
  },
  position: { lat: 6.5, lon: 3.4, at: '2026-11-20T10:00:00.000Z', accuracyM: 8, placeName: 'Lagos' },
  clockAheadS: null,
  limits: { temperatureMinC: 2, temperatureMaxC: 8, humidityMinPct: null, humidityMaxPct: null },
  judgement: { temperature: 'inRange', humidity: null },
  excursionSince: null,
  waiting: [],
  licenceUntil: null,
  hiddenFrom: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...overrides,
})
