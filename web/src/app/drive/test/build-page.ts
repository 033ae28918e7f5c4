import type { DrivenStop, DriverPage } from '@isotherm/contract/order-links.ts'

export const buildStop = (place: number, more: Partial<DrivenStop> = {}): DrivenStop => ({
  ...{ stop: place, name: `Stop ${place}`, company: null, phone: null, address: '', place: { lat: 6, lon: 3 } },
  ...{ state: 'waiting', windowFrom: null, windowBy: null, timezone: 'Africa/Lagos', eta: null },
  ...{ postponedUntil: null, postponedReason: null, arrivedAt: null, settledAt: null, departedAt: null },
  ...{ items: [], handedOver: null, shown: null, doorQr: null },
  ...more,
})

export const buildPage = (more: Partial<DriverPage> = {}): DriverPage => ({
  ...{ company: 'Cold', driver: 'Musa', trackingCode: 'AAAA-BBBB-C', state: 'inProgress', note: null, startedAt: null },
  tellsPosition: false,
  ...{ sender: { name: 'Store', address: '', phone: null }, pickup: { lat: 6, lon: 3 }, pickupAt: null },
  ...{ timezone: 'Africa/Lagos', stops: [buildStop(1), buildStop(2)], at: '2026-11-23T08:00:00.000Z' },
  ...more,
})
