import { beforeEach, describe, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aPlaceOfShipments } from '../../../test/export-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { readsOf } from '../../../test/reads-of.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()

let admin: TestUser
beforeEach(async () => {
  admin = await buildUser(t)
  await t.pool.query('update ports set retired_at = null')
})

describe.each(['origin', 'destination'] as const)('an %s', (kind) => {
  const path = `/export/${kind}s`
  const list = async (query = '', user = admin) =>
    (await t.call('GET', `${path}${query}`, { token: user.token })).body.payload.data
  const add = (body: object, user = admin) => t.call('POST', path, { token: user.token, body })
  const change = (id: string, body: object, user = admin) =>
    t.call('PATCH', `${path}/${id}`, { token: user.token, body })
  const remove = (id: string, user = admin) => t.call('DELETE', `${path}/${id}`, { token: user.token })

  const farm = {
    ...{ name: 'Patensie pack house', region: 'Eastern Cape', country: 'ZA', personOfContact: 'Sipho Dlamini' },
    ...{ companyName: 'Cape Citrus', address: 'Patensie', position: { lat: -33.76, lon: 24.81, radiusM: 500 } },
    ports: [
      { type: 'sea', code: 'ZAZBA' },
      { type: 'air', code: 'JNB' },
    ],
  }

  test('is added, changed and deleted, each with an entry in the trail', async () => {
    const added = (await add(farm)).body.payload
    expect(added).toMatchObject({ ...farm, timezone: 'Africa/Johannesburg', version: 1, openShipments: 0 })
    expect(added.ports.map(({ code, name }: { code: string; name: string }) => [code, name])).toEqual([
      ['ZAZBA', 'Coega'],
      ['JNB', expect.stringContaining('Tambo')],
    ])
    const changed = (await change(added.id, { version: 1, region: null, ports: [] })).body.payload
    expect(changed).toMatchObject({ region: null, ports: [], name: farm.name, position: farm.position, version: 2 })
    expect((await change(added.id, { version: 1, region: 'X' })).body.code).toBe('CHANGED_MEANWHILE')
    expect((await remove(added.id)).status).toBe(200)
    expect((await remove(added.id)).status).toBe(404)
    expect(await list()).toEqual([])
    const acts = (await trailOf(t, admin.companyId)).map(({ action }) => action)
    expect(acts.filter((action) => action.startsWith(`${kind}s.`))).toEqual([
      ...[`${kind}s.added`, `${kind}s.changed`, `${kind}s.removed`],
    ])
  })

  test('says what is wrong, field by field: a name that is taken, a port that is not there', async () => {
    const { status, body } = await add({
      ...farm,
      name: '',
      country: 'Africa',
      position: { lat: 99, lon: 0, radiusM: 1 },
    })
    expect([status, Object.keys(body.fields).sort()]).toEqual([
      ...[422, ['country', 'name', 'position.lat', 'position.radiusM']],
    ])
    const unknown = await add({
      ...farm,
      ports: [
        { type: 'sea', code: 'ZAZBA' },
        { type: 'sea', code: 'ZZZZZ' },
      ],
    })
    expect([unknown.status, Object.keys(unknown.body.fields)]).toEqual([422, ['ports.1.code']])
    await add(farm)
    expect(Object.keys((await add({ ...farm, name: farm.name.toUpperCase() })).body.fields)).toEqual(['name'])
    const other = (await add({ name: 'Other', country: 'ZA' })).body.payload
    expect((await change(other.id, { version: 1, name: farm.name })).status).toBe(422)
    expect((await change(other.id, { version: 1, name: 'OTHER' })).body.payload.name).toBe('OTHER')
  })

  test('may have a GLN, whose check digit somebody may insist on', async () => {
    const wrong = await add({ ...farm, gln: '600 123 4500026' })
    expect([wrong.status, wrong.body.fields]).toEqual([
      ...[422, { gln: ['This GLN is not right. Did you mean 6001234500025?'] }],
    ])
    expect((await add({ ...farm, gln: '12345', glnUnchecked: true })).status).toBe(422)
    const kept = (await add({ ...farm, gln: '6001234500026', glnUnchecked: true })).body.payload
    expect(kept).toMatchObject({ gln: '6001234500026', glnUnchecked: true })
    const stays = (await change(kept.id, { version: 1, region: null })).body.payload
    expect(stays).toMatchObject({ gln: '6001234500026', glnUnchecked: true })
    const right = (await change(kept.id, { version: 2, gln: '6001234500025', glnUnchecked: true })).body.payload
    expect(right).toMatchObject({ gln: '6001234500025', glnUnchecked: false })
    expect(await list('?search=6001234500025')).toHaveLength(1)
    const csv = await t.call('GET', `${path}/export`, { token: admin.token })
    expect(String(csv.body)).toContain('6001234500025')
    const gone = (await change(kept.id, { version: 3, gln: null })).body.payload
    expect(gone).toMatchObject({ gln: null, glnUnchecked: false })
  })

  test('keeps a port that was closed since, and takes no closed one anew', async () => {
    await t.pool.query(`update ports set retired_at = now() where code = 'ZAELS'`)
    const [closed, open] = [[{ type: 'sea', code: 'ZAELS' }], [{ type: 'sea', code: 'ZARCB' }]]
    expect((await add({ ...farm, ports: closed })).status).toBe(422)
    const { id } = (await add({ ...farm, ports: open })).body.payload
    await t.pool.query(`update ports set retired_at = now() where code = 'ZARCB'`)
    const kept = (await change(id, { version: 1, ports: open })).body.payload
    expect(kept.ports).toMatchObject([{ code: 'ZARCB', isClosed: true }])
  })

  test('has the zone of its position, its country or the person who says it', async () => {
    const zoneOf = async (body: object) =>
      (await add({ name: JSON.stringify(body).slice(0, 99), ...body })).body.payload.timezone
    expect(await zoneOf({ country: 'NL' })).toBe('Europe/Amsterdam')
    const los = { lat: 33.9, lon: -118.2, radiusM: null }
    expect(await zoneOf({ country: 'US', position: los })).toBe('America/Los_Angeles')
    expect(await zoneOf({ country: 'US', ports: [{ type: 'sea', code: 'USPHL' }] })).toBe('America/New_York')
    expect(await zoneOf({ country: 'US', position: los, timezone: 'America/Denver' })).toBe('America/Denver')
    const { id } = (await add({ name: 'Moves', country: 'NL' })).body.payload
    const moved = (await change(id, { version: 1, country: 'US', position: los })).body.payload
    expect(moved.timezone).toBe('America/Los_Angeles')
  })

  test('stays while a shipment that is not over has it', async () => {
    const { id } = await aPlaceOfShipments(t, admin, kind)
    const other = await aPlaceOfShipments(t, admin, kind === 'origin' ? 'destination' : 'origin')
    const [origin, destination] = kind === 'origin' ? [id, other.id] : [other.id, id]
    await t.change(
      admin.companyId,
      `insert into shipments (company_id, number, logistics, product, origin_id, origin, destination_id, destination,
        created_at, created_by, created_by_name, updated_at)
      values ($1, 1, 'internal', 'Oranges', $2, '{}', $3, '{}', now(), 1, 'Somebody', now())`,
      [admin.companyId, origin, destination],
    )
    expect((await list()).find((each: { id: string }) => each.id === id)?.openShipments).toBe(1)
    expect((await remove(id)).body.code).toBe('PLACE_IN_USE')
    await t.change(admin.companyId, `update shipments set state = 'cancelled', cancelled_at = now()`)
    expect((await remove(id)).status).toBe(200)
  })

  test('is searched, sorted and exported; another company has none, and Staff only looks', async () => {
    const { id } = (await add(farm)).body.payload
    await add({ name: '=Second', country: 'NL', region: 'Zuid-Holland', ports: [{ type: 'sea', code: 'NLRTM' }] })
    const names = async (query: string) => (await list(query)).map(({ name }: { name: string }) => name)
    expect(await names('?sort=-name')).toEqual([farm.name, '=Second'])
    expect(await names('?search=sipho')).toEqual([farm.name])
    expect(await names('?search=maasvlakte')).toEqual(['=Second'])
    expect(await names('?country=NL')).toEqual(['=Second'])
    const csv = await t.call('GET', `${path}/export?search=rotterdam`, { token: admin.token })
    expect(String(csv.body).split('\r\n')[1]).toContain(`"'=Second"`)
    expect(String(csv.body)).toContain('NLRTM')
    const stranger = await buildUser(t)
    expect(await list('', stranger)).toEqual([])
    expect((await change(id, { version: 1, region: null }, stranger)).status).toBe(404)
    expect((await remove(id, stranger)).status).toBe(404)
    const staff = await buildUser(t, { company: admin, role: 'staff' })
    expect(await list('', staff)).toHaveLength(2)
    expect((await change(id, { version: 1, region: null }, staff)).status).toBe(403)
    // The other kind is another list.
    const elsewhere = kind === 'origin' ? 'destinations' : 'origins'
    const body = { version: 1, region: null }
    expect((await t.call('PATCH', `/export/${elsewhere}/${id}`, { token: admin.token, body })).status).toBe(404)
  })

  test('on the last page, those before it are not asked for their ports', async () => {
    const places = 12
    for (let n = 0; n < places; n += 1) expect((await add({ ...farm, name: `Farm ${n}` })).status).toBe(200)
    const last = `?perPage=2&page=${places / 2}`
    const { scans } = await readsOf(t.pool, admin, { table: 'shipment_place_ports', having: 'as ports' }, () =>
      list(last),
    )
    expect(scans).toBeLessThan(places / 2)
    expect((await list(last)).map(({ name }: { name: string }) => name)).toEqual(['Farm 8', 'Farm 9'])
  })
})
