import type { Page } from 'playwright-core'
import { hasValidLuhn } from '../server/src/domain/identifiers.ts'
import { addBoughtAndAsked } from './bought-and-asked.ts'
import { foundCompany, logIn, stockUp } from './devices-company.ts'
import type { Stage } from './stage.ts'

/** Rows of each list: more than the least screen must show at once. */
const rows = 6
const api = '/app/api/v1'

export interface OneOfEverything {
  /** Logged in as the Admin. */
  page: Page
  /** They go with the Admin's calls. */
  headers: Record<string, string>
  ids: Record<
    'device' | 'group' | 'record' | 'groupRecord' | 'alarm' | 'session' | 'driver' | 'order' | 'shipment',
    string
  >
  /** Secret addresses. */
  share: string
  wall: string
}

/** A company with some of everything that a screen lists, and the screens' Admin. */
export async function foundOneOfEverything(stage: Stage, email: string): Promise<OneOfEverything> {
  const page = await stage.page()
  // One in ten has the right check digit.
  const imeis = Array.from({ length: 20 * rows }, (_, at) => String(490_154_203_237_500 + at)).filter(hasValidLuhn)
  const { key, secrets } = await stockUp(stage, imeis)
  await foundCompany(stage, page.request, 'Screens Ltd', email)
  const headers = await logIn(page, email)
  const send = async (method: 'post' | 'put' | 'patch' | 'get', path: string, data?: object) => {
    const answer = await page.request[method](`${api}${path}`, { headers, ...(data && { data }) })
    if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
    return ((await answer.json()) as { payload: { id: string; token: string; user: { id: string } } }).payload
  }
  const post = (path: string, data: object) => send('post', path, data)
  const several = (make: (at: number) => Promise<{ id: string }>) =>
    Promise.all(Array.from({ length: rows }, async (_, at) => (await make(at)).id))

  const setUp = (imei: string | undefined, name: string) =>
    post('/devices/setup', { imei, licenceKey: key, name, intervalS: 180, limits: { preset: 'refrigerated' } })
  const devices: string[] = []
  for (let at = 0; at < rows; at++) devices.push((await setUp(imeis[at], `Cold store ${at + 1}`)).id)
  for (let at = 0; at < rows; at++) {
    const { id } = await setUp(imeis[rows + at], `Old van ${at + 1}`)
    await send('put', `/devices/${id}/decommission`, { reason: 'Sold' })
  }
  const [device = ''] = devices
  await addBoughtAndAsked(stage, page, headers, devices)
  const { id: me } = (await send('get', '/auth/profile')).user
  const members = await several((at) =>
    post('/users', { fullname: `Member ${at}`, email: `${at}.${email}`, role: 'staff' }),
  )
  const groups = await several((at) => post('/groups', { name: `Depot ${at}`, deviceIds: devices, userIds: members }))
  const [group = ''] = groups
  const recipients = [{ userId: me, channels: ['app'] }]
  const rule = { kind: 'value', temperatureMaxC: 8 }
  const alarms = await several((at) =>
    post('/alarms', { name: `Too warm ${at}`, severity: 'critical', deviceIds: [device], recipients, rule }),
  )
  const begun = Date.now()
  for (const [at, imei] of imeis.slice(0, rows).entries()) {
    const authorization = `Bearer ${secrets.get(imei)}`
    const ingest = async (data: object) => {
      const answer = await page.request.post(`${api}/ingest/${imei}`, { headers: { authorization }, data })
      if (!answer.ok()) throw new Error(`ingest answered ${answer.status()}: ${await answer.text()}`)
    }
    // In, out, in, out: excursions that are over, and one that goes on.
    const readings = Array.from({ length: at === 0 ? 2 * rows : 1 }, (_, nth) => ({
      ...{ at: new Date(begun + nth).toISOString(), temperatureC: nth % 2 ? 9.4 : 5, humidityPct: 50 },
      ...{ batteryPct: 80, lat: 6.45 + at / 100, lon: 3.39 },
    }))
    await ingest({ readings })
    // No temperature is so high: it is kept as rejected.
    await ingest({ at: new Date(begun + 10_000).toISOString(), temperatureC: 5_000 })
  }
  const sessions = await several((at) =>
    post('/device-sessions', { deviceId: devices[at], name: `Trip ${at}`, startedAt: new Date(begun).toISOString() }),
  )
  const records = await several((at) => post('/enterprise/record', { name: `Lot ${at}`, deviceIds: [device] }))
  const groupRecords = await several((at) => post(`/grouprecords/${group}`, { name: `Week ${at}` }))
  await several((at) =>
    post('/report', { name: `Report ${at}`, cadence: 'weekly', timezone: 'UTC', deviceIds: [device] }),
  )
  await post('/on-call/rotas', { name: 'Nights', people: [me], weekday: 1, time: '08:00', startsOn: '2026-01-05' })
  await post('/on-call/notes', { text: 'The door of Cold store 1 closes badly.' })
  const phone = '+2348031234567'
  const letters = 'ABCDEF'
  await several((at) => post('/dispatch/contacts', { name: `Clinic ${at}`, phone, address: 'Apapa, Lagos' }))
  const drivers = await several((at) =>
    post('/dispatch/drivers', { name: `Musa ${letters[at]}`, phone, licenceExpiresOn: '2026-01-31' }),
  )
  const vehicles = await several((at) =>
    post('/dispatch/vehicles', { name: `Van ${at}`, plate: `LAG ${at} XY`, type: 'truck' }),
  )
  await send('patch', `/dispatch/drivers/${drivers[0]}/vehicle/assign`, { vehicleId: vehicles[0] })
  const stop = (address: string, lat: number) => ({ address, lat, lon: 3.39 })
  const orders = await several((at) =>
    post('/dispatch/orders', {
      ...{ sender: { name: `Cold Store ${at}` }, pickup: stop('Ikeja', 6.6) },
      ...{ deliverBy: new Date(begun + 864e5).toISOString(), driverId: drivers[0], vehicleId: vehicles[0] },
      devices: at === 0 ? [{ id: device }] : [],
      receivers: [{ name: 'Clinic', stop: stop('Apapa', 6.45), items: [{ name: 'Vaccine box', quantity: 2 }] }],
    }),
  )
  const firm = { companyAddress: 'Apapa, Lagos', fullName: 'Ada Obi', email: 'ada@movers.test', phone, country: 'NG' }
  await several((at) => post('/dispatch/partners', { companyName: `Cold Movers ${at}`, ...firm }))
  const ends = { origin: { name: 'Pack house', country: 'ZA' }, destination: { name: 'Importer', country: 'NL' } }
  const placesOf = (kind: 'origin' | 'destination') =>
    several((at) => post(`/export/${kind}s`, { ...ends[kind], name: `${ends[kind].name} ${at}` }))
  const [origins, destinations] = [await placesOf('origin'), await placesOf('destination')]
  const shipments = await several((at) =>
    post('/export/shipments', {
      ...{ logistics: 'external', product: 'Oranges', originId: origins[0], destinationId: destinations[0] },
      ...{ reference: `PO ${at}`, legs: [{ mode: 'sea', fromPort: 'ZACPT', toPort: 'NLRTM', vesselName: 'Cap San' }] },
    }),
  )
  const shared = { label: 'For the hospital', hours: 24, showsPosition: true, showsChart: true }
  const share = (await post(`/devices/${device}/share-links`, shared)).token
  const wall = (await post('/wall-screens', { label: 'Hall 2' })).token
  return {
    page,
    headers,
    ids: {
      device,
      group,
      record: records[0] ?? '',
      groupRecord: groupRecords[0] ?? '',
      alarm: alarms[0] ?? '',
      session: sessions[0] ?? '',
      driver: drivers[0] ?? '',
      order: orders[0] ?? '',
      shipment: shipments[0] ?? '',
    },
    share: `/share#${share}`,
    wall: `/wall#${wall}`,
  }
}
