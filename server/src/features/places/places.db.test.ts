import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany, buildUser } from '../../../test/factories.ts'
import { holdQuota } from '../../../test/held-quota.ts'
import { buildGeofence, buildPoint } from '../../../test/place-factory.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()

const square = [
  { lat: 6.4, lon: 3.3 },
  { lat: 6.4, lon: 3.4 },
  { lat: 6.5, lon: 3.4 },
  { lat: 6.5, lon: 3.3 },
]
const depot = { name: 'Depot', colour: 'green', area: { kind: 'polygon', points: square } }
const port = {
  name: 'Port',
  colour: 'red',
  area: { kind: 'circle', centre: { lat: 6.44, lon: 3.37 }, radiusM: 1500.4 },
}
const add = (token: string, body: object) => t.call('POST', '/geofence', { token, body })
const list = async (token: string, path: string, query: Record<string, string> = {}) =>
  (await t.call('GET', path, { token, query })).body.payload
const names = (page: { data: { name: string }[] }) => page.data.map(({ name }) => name)

test('a geofence is drawn, listed, found, changed and deleted, and the trail tells it all', async () => {
  const { token, companyId } = await buildUser(t)
  const made = (await add(token, depot)).body.payload
  expect(made).toMatchObject({ ...depot, notify: { in: true, out: true } })
  expect(made.areaKm2).toBeCloseTo(122.9, 0)
  const circle = (await add(token, { ...port, notify: { in: false, out: true } })).body.payload
  expect(circle.area.radiusM).toBe(1500)
  expect(names(await list(token, '/geofence'))).toEqual(['Depot', 'Port'])
  expect(names(await list(token, '/geofence', { search: 'POR' }))).toEqual(['Port'])
  expect(await list(token, '/geofence', { sort: '-name', perPage: '1', page: '2' })).toMatchObject({
    data: [{ name: 'Depot' }],
    meta: { total: 2, pageCount: 2 },
  })
  const changed = await t.call('PATCH', `/geofence/${made.id}`, { token, body: { name: 'Old depot', colour: 'white' } })
  expect(changed.body.payload).toMatchObject({ name: 'Old depot', colour: 'white', area: depot.area })
  expect((await t.call('DELETE', `/geofence/${made.id}`, { token })).status).toBe(200)
  expect(names(await list(token, '/geofence'))).toEqual(['Port'])
  expect((await t.call('DELETE', `/geofence/${made.id}`, { token })).status).toBe(404)
  expect(await trailOf(t, companyId)).toMatchObject([
    { action: 'geofences.created', target: { kind: 'geofence', id: made.id, name: 'Depot' }, after: depot },
    { action: 'geofences.created', target: { name: 'Port' } },
    { action: 'geofences.changed', before: { name: 'Depot', colour: 'green' }, after: { name: 'Old depot' } },
    { action: 'geofences.deleted', target: { name: 'Old depot' }, before: { area: depot.area } },
  ])
})

test('two geofences, or two points, of one name cannot be told apart: the second is refused, in whatever case', async () => {
  const [{ token }, other] = [await buildUser(t), await buildUser(t)]
  const { id } = (await add(token, depot)).body.payload
  const twice = await add(token, { ...depot, name: 'DEPOT' })
  expect([twice.status, Object.keys(twice.body.fields)]).toEqual([422, ['name']])
  await add(token, port)
  const change = (name: string) => t.call('PATCH', `/geofence/${id}`, { token, body: { name } })
  expect([(await change('port')).status, (await change('Depot')).status]).toEqual([422, 200])
  expect((await add(other.token, depot)).status).toBe(200)
  const point = { name: 'Gate', position: { lat: 6.44, lon: 3.37 }, radiusM: 100, notify: { in: true, out: true } }
  const addPoint = () => t.call('POST', '/point-of-interests', { token, body: point })
  expect([(await addPoint()).status, (await addPoint()).status]).toEqual([200, 422])
})

const polygon = (...points: [number, number][]) => ({
  kind: 'polygon',
  points: points.map(([lat, lon]) => ({ lat, lon })),
})

test.each([
  ['crosses itself', polygon([0, 0], [1, 1], [0, 1], [1, 0]), 'area.points', /crosses itself/],
  ['has two corners', polygon([0, 0], [1, 1], [0, 0]), 'area.points', /at least three/],
  ['crosses the date line', polygon([-17, 177], [-17, -178], [-19, -178]), 'area.points', /date line/],
  ['reaches the pole', { kind: 'circle', centre: { lat: 84.99, lon: 0 }, radiusM: 5000 }, 'area.radiusM', /85°/],
  ['is a continent', polygon([-30, -20], [-30, 50], [35, 50], [35, -20]), 'area.points', /too large/],
  ['is a pin', polygon([0, 0], [0, 0.0001], [0.0001, 0.0001]), 'area.points', /too small/],
])('an area that %s is refused in words', async (_, area, field, words) => {
  const { token } = await buildUser(t)
  const answer = await add(token, { ...depot, area })
  expect(answer.status).toBe(422)
  expect(answer.body.fields[field][0]).toMatch(words)
  expect((await list(token, '/geofence')).meta.total).toBe(0)
})

test('the words are those of the person’s language', async () => {
  const crossed = polygon([0, 0], [1, 1], [0, 1], [1, 0])
  const words = await Promise.all(
    ['en', 'fr', 'es', 'sw'].map(async (locale) => {
      const { token } = await buildUser(t, { locale })
      return (await add(token, { ...depot, area: crossed })).body.fields['area.points'][0] as string
    }),
  )
  expect(new Set(words).size).toBe(4)
})

test.each([
  { ...depot, colour: 'blue' },
  { ...depot, name: ' ' },
  { ...depot, area: { kind: 'circle', centre: { lat: 91, lon: 0 }, radiusM: 100 } },
  { ...depot, area: { kind: 'circle', centre: { lat: 0, lon: 0 }, radiusM: 5 } },
  { ...depot, area: { kind: 'circle', centre: { lat: 0, lon: 0 }, radiusM: 600_000 } },
  { ...depot, area: { kind: 'polygon', points: Array.from({ length: 501 }, () => ({ lat: 0, lon: 0 })) } },
  { ...depot, area: { kind: 'box' } },
])('nonsense is a 422', async (body) => {
  expect((await add((await buildUser(t)).token, body)).status).toBe(422)
})

test('a change of the outline is judged like a new one', async () => {
  const { token, companyId } = await buildUser(t)
  const { id } = await buildGeofence(t, { companyId })
  const crossed = { area: polygon([0, 0], [1, 1], [0, 1], [1, 0]) }
  expect((await t.call('PATCH', `/geofence/${id}`, { token, body: crossed })).status).toBe(422)
  const moved = await t.call('PATCH', `/geofence/${id}`, { token, body: { area: depot.area } })
  expect(moved.body.payload.area).toEqual(depot.area)
})

test('a point of interest is made, read, moved and deleted', async () => {
  const { token, companyId } = await buildUser(t)
  const body = { name: 'Clinic', position: { lat: -1.2921, lon: 36.8219 }, notify: { in: true, out: false } }
  const made = (await t.call('POST', '/point-of-interests', { token, body })).body.payload
  expect(made).toMatchObject({ ...body, radiusM: 200 })
  const at = `/point-of-interests/${made.id}`
  const moved = await t.call('PATCH', at, { token, body: { position: { lat: -1.3, lon: 36.8 }, radiusM: 80 } })
  expect(moved.body.payload).toMatchObject({ name: 'Clinic', position: { lat: -1.3, lon: 36.8 }, radiusM: 80 })
  expect((await t.call('GET', at, { token })).body.payload).toEqual(moved.body.payload)
  expect(names(await list(token, '/point-of-interests', { search: 'cli' }))).toEqual(['Clinic'])
  const polar = { ...body, position: { lat: 89, lon: 0 } }
  expect((await t.call('POST', '/point-of-interests', { token, body: polar })).body.fields.radiusM).toHaveLength(1)
  expect((await t.call('DELETE', at, { token })).status).toBe(200)
  expect((await t.call('GET', at, { token })).status).toBe(404)
  const trail = await trailOf(t, companyId)
  expect(trail.map(({ action }) => action)).toEqual([
    'pointsOfInterest.created',
    'pointsOfInterest.changed',
    'pointsOfInterest.deleted',
  ])
})

test('another company neither sees nor touches them', async () => {
  const [mine, other] = [await buildUser(t), await buildUser(t)]
  const fence = await buildGeofence(t, { companyId: mine.companyId })
  const point = await buildPoint(t, { companyId: mine.companyId })
  const { token } = other
  expect((await list(token, '/geofence')).data).toEqual([])
  expect((await list(token, '/point-of-interests')).data).toEqual([])
  for (const [method, path] of [
    ['PATCH', `/geofence/${fence.id}`],
    ['DELETE', `/geofence/${fence.id}`],
    ['GET', `/point-of-interests/${point.id}`],
    ['PATCH', `/point-of-interests/${point.id}`],
    ['DELETE', `/point-of-interests/${point.id}`],
  ] as const)
    expect((await t.call(method, path, { token, ...(method === 'PATCH' ? { body: { name: 'X' } } : {}) })).status).toBe(
      404,
    )
  expect(names(await list(mine.token, '/geofence'))).toEqual([fence.name])
})

test('a staff member sees the fences and draws none', async () => {
  const company = await buildCompany(t)
  const { token } = await buildUser(t, { company, role: 'staff' })
  const { id, name } = await buildGeofence(t, company)
  expect(names(await list(token, '/geofence'))).toEqual([name])
  expect((await add(token, depot)).status).toBe(403)
  expect((await t.call('PATCH', `/geofence/${id}`, { token, body: { name: 'X' } })).status).toBe(403)
  expect((await t.call('DELETE', `/geofence/${id}`, { token })).status).toBe(403)
})

test('two geofences, and two points of interest, have different names; another company may use them', async () => {
  const [{ token }, other] = [await buildUser(t), await buildUser(t)]
  const point = { name: 'Clinic', position: { lat: 6.4, lon: 3.3 }, radiusM: 200 }
  for (const [path, body] of [
    ['/geofence', depot],
    ['/point-of-interests', point],
  ] as const) {
    const post = (user: string, more: object = {}) => t.call('POST', path, { token: user, body: { ...body, ...more } })
    expect((await post(token)).status).toBe(200)
    const twice = await post(token, { name: body.name.toUpperCase() })
    expect([twice.status, twice.body.fields]).toEqual([422, { name: ['Another one has this name already.'] }])
    const second = (await post(token, { name: 'Second' })).body.payload
    const renamed = await t.call('PATCH', `${path}/${second.id}`, { token, body: { name: body.name } })
    expect(renamed.status).toBe(422)
    expect((await post(other.token)).status).toBe(200)
  }
})

test('one geofence is changed while another is added: neither waits for what the other has', async () => {
  const { token, companyId } = await buildUser(t)
  const { id } = (await add(token, depot)).body.payload
  const points = [...square, { lat: 6.45, lon: 3.28 }]
  const held = await holdQuota(t, companyId, 'corners')
  const changed = t.call('PATCH', `/geofence/${id}`, { token, body: { name: 'Yard', area: { ...depot.area, points } } })
  await held.waitFor(1)
  const added = add(token, { ...depot, name: 'Other depot' })
  await held.waitFor(2)
  await held.release()
  expect([(await changed).status, (await added).status]).toEqual([200, 200])
})
