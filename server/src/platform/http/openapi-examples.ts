/**
 * Examples of what callers send and get most, by the name of the component. A test parses each with its schema.
 * They are here and not in the contract, because the contract's size counts in the browser.
 */
export const examples: Record<string, unknown> = {
  Id: '42',
  Imei: '490154203237518',
  Instant: '2026-11-22T08:30:00.000Z',
  Login: { email: 'amina@example.com', password: 'a good long password' },
  Invite: { fullname: 'Amina Okoye', email: 'amina@example.com', role: 'manager' },
  DeviceSetup: {
    imei: '490154203237518',
    claimCode: 'ABCD-EFGH-JKMG',
    licenceKey: 'ISO-7F3K-92MD-XQ4T',
    name: 'Vaccine fridge 3',
    tag: 'Clinic Yaba',
    intervalS: 600,
    limits: { temperatureMinC: 2, temperatureMaxC: 8 },
  },
  DeviceChange: { name: 'Vaccine fridge 3', intervalS: 300, visibility: 'private' },
  NewGroup: { name: 'Clinic Yaba', deviceIds: ['7', '8'] },
  NewGeofence: {
    name: 'Depot Apapa',
    colour: 'green',
    area: { kind: 'circle', centre: { lat: 6.4478, lon: 3.3595 }, radiusM: 400 },
  },
  NewPointOfInterest: { name: 'Clinic Yaba', position: { lat: 6.5095, lon: 3.3711 }, radiusM: 150 },
  NewValueAlarm: {
    name: 'Fridges too warm',
    severity: 'critical',
    groupIds: ['3'],
    rule: { kind: 'value', temperatureMaxC: 8, delayMinutes: 10 },
    recipients: [{ userId: '5', channels: ['app', 'mail'] }, { email: 'night-duty@example.com' }],
  },
  NewFenceAlarm: {
    name: 'Van left the depot',
    deviceIds: ['7'],
    rule: { kind: 'fence', direction: 'out', geofenceIds: ['2'] },
    recipients: [{ userId: '5', channels: ['app'] }],
  },
  NewSession: { deviceId: '7', name: 'Delivery to Ibadan', startedAt: '2026-11-22T06:00:00Z' },
  NewRecord: { name: 'Batch 2291', lot: '2291', deviceIds: ['7'] },
  Resolution: { note: 'The door was open. It is closed now.' },
  SentReading: { at: '2026-11-22T08:30:00Z', temperatureC: 4.6, humidityPct: 61, batteryPct: 88 },
  IngestAnswer: { accepted: 1, duplicates: 0, rejected: [], commands: [] },
  Done: { done: true },
  Meta: { page: 1, perPage: 25, total: 61, pageCount: 3 },
}
