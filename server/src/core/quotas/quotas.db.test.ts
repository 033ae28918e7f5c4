import { describe, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { SentFile } from '../../../test/form.ts'
import { buildGroup } from '../../../test/group-factory.ts'
import { aLicence } from '../../../test/licence-factory.ts'
import { buildRecord } from '../../../test/record-factory.ts'
import { aShipmentPlace } from '../../../test/shipment-factory.ts'
import { buildHardware, buildKey } from '../../../test/stock.ts'
import type { Quota, QuotaName } from '../../platform/config/quotas.ts'
import { DiskWatch } from '../../platform/files/free-disk.ts'

const two: Quota = { licensed: 4, unlicensed: 2 }
const quotas: Record<QuotaName, Quota> = {
  places: { licensed: 6, unlicensed: 3 },
  corners: { licensed: 40, unlicensed: 10 },
  alarms: two,
  groups: two,
  records: two,
  reports: two,
  users: two,
  fileMb: { licensed: 2, unlicensed: 1 },
  shareLinks: two,
  contacts: two,
  drivers: two,
  vehicles: two,
  partners: two,
  openOrders: two,
  ordersPerDay: { licensed: 6, unlicensed: 3 },
  orderTemplates: two,
  openShipments: two,
  shipmentsPerDay: { licensed: 6, unlicensed: 3 },
  shipmentPlaces: two,
}

const t = describeApp({ quotas, reportsWaiting: { person: 3, company: 5 } })

const post = (user: TestUser, path: string, body: object = {}) => t.call('POST', path, { token: user.token, body })
const codes = (answers: { status: number; body: { code?: string } }[]) =>
  answers.map(({ status, body }) => body.code ?? status)

const circle = { kind: 'circle', centre: { lat: 6.44, lon: 3.37 }, radiusM: 500 }
const polygon = (corners: number) => ({
  kind: 'polygon',
  points: Array.from({ length: corners }, (_, index) => {
    const angle = (2 * Math.PI * index) / corners
    return { lat: 6 + Math.sin(angle) / 10, lon: 3 + Math.cos(angle) / 10 }
  }),
})
let places = 0
const nextName = (kind: string) => {
  places += 1
  return `${kind} ${places}`
}
const fence = (area: object) => ({ name: nextName('Depot'), colour: 'green', area })
const point = () => ({ name: nextName('Clinic'), position: { lat: 6.4, lon: 3.3 }, radiusM: 200 })
const daily = (user: TestUser) => ({
  name: 'Daily',
  cadence: 'daily',
  time: '07:00',
  timezone: 'Africa/Lagos',
  formats: ['csv'],
  contents: ['stats'],
  recipients: [{ userId: user.id }],
})
const license = async (user: TestUser) => {
  const [{ imei }, key] = [await buildHardware(t), await buildKey(t)]
  const answer = await post(user, '/devices/setup', { imei, licenceKey: key, name: 'Fridge' })
  expect(answer.status).toBe(200)
}

describe('a company has so many and no more (H4)', () => {
  const chosen = async (user: TestUser) => String((await aDevice(t, user)).id)
  const makers: Record<
    'alarms' | 'groups' | 'records' | 'reports' | 'users',
    (user: TestUser, n: number) => Promise<unknown>
  > = {
    alarms: async (user, n) => ({
      name: `Alarm ${n}`,
      severity: 'critical',
      deviceIds: [await chosen(user)],
      recipients: [{ userId: user.id, channels: ['app'] }],
      rule: { kind: 'value', temperatureMaxC: 8 },
    }),
    groups: async (_, n) => ({ name: `Group ${n}` }),
    records: async (user, n) => ({ name: `Record ${n}`, deviceIds: [await chosen(user)] }),
    reports: async (user, n) => ({ ...daily(user), name: `Report ${n}`, deviceIds: [await chosen(user)] }),
    users: async (user, n) => ({ fullname: 'Somebody', email: `s${n}-${user.id}@example.test`, role: 'staff' }),
  }
  const paths = {
    alarms: '/alarms',
    groups: '/groups',
    records: '/enterprise/record',
    reports: '/report',
    users: '/users',
  }

  test.each(Object.keys(makers) as (keyof typeof makers)[])('of %s', async (name) => {
    const user = await buildUser(t)
    const free = name === 'users' ? 1 : 2
    for (let n = 0; n < free; n++)
      expect((await post(user, paths[name], (await makers[name](user, n)) as object)).status).toBe(200)
    const refused = await post(user, paths[name], (await makers[name](user, free)) as object)
    expect([refused.status, refused.body.code]).toEqual([400, 'QUOTA_EXCEEDED'])
    expect(refused.body.message).toMatch(/\b2\b/)
  })

  test('of places, fences and points together, and names what is full in the person’s language', async () => {
    const user = await buildUser(t, { locale: 'fr' })
    expect((await post(user, '/geofence', fence(circle))).status).toBe(200)
    for (let n = 0; n < 2; n++) expect((await post(user, '/point-of-interests', point())).status).toBe(200)
    for (const [path, body] of [
      ['/geofence', fence(circle)],
      ['/point-of-interests', point()],
    ] as const) {
      const refused = await post(user, path, body)
      expect([refused.status, refused.body.code]).toEqual([400, 'QUOTA_EXCEEDED'])
      expect(refused.body.message).toBe(
        'Votre entreprise peut avoir au plus 3 zones et points d’intérêt. Supprimez-en d’abord.',
      )
    }
  })

  test('of corners in all fences, also by a change of one; circles and simpler areas stay possible', async () => {
    const user = await buildUser(t)
    const first = await post(user, '/geofence', fence(polygon(6)))
    expect(codes([await post(user, '/geofence', fence(polygon(5)))])).toEqual(['QUOTA_EXCEEDED'])
    expect(
      codes([await post(user, '/geofence', fence(polygon(4))), await post(user, '/geofence', fence(circle))]),
    ).toEqual([200, 200])
    const redraw = (corners: number) =>
      t.call('PATCH', `/geofence/${first.body.payload.id}`, { token: user.token, body: { area: polygon(corners) } })
    expect(codes([await redraw(7), await redraw(5), await redraw(6)])).toEqual(['QUOTA_EXCEEDED', 200, 200])
  })

  describe('of what dispatch needs', () => {
    const phone = '+2348031234567'
    const pattern = {
      sender: { name: 'Cold Store' },
      pickup: { address: 'Ikeja', lat: 6.6018, lon: 3.3515 },
      receivers: [
        {
          name: 'Clinic',
          stop: { address: 'Apapa', lat: 6.4489, lon: 3.3592 },
          items: [{ name: 'Vaccines', quantity: 1 }],
        },
      ],
    }
    const inThreeDays = () => new Date(t.clock.now().getTime() + 3 * 86_400_000).toISOString()
    const order = () => ({ ...pattern, deliverBy: inThreeDays() })
    const bodies: Record<string, () => object> = {
      '/dispatch/contacts': () => ({ name: nextName('Ada'), phone }),
      '/dispatch/drivers': () => ({ name: 'Musa', phone }),
      '/dispatch/vehicles': () => ({ name: nextName('Van'), plate: nextName('LAG').replace(' ', '-'), type: 'truck' }),
      '/dispatch/partners': () => ({
        ...{ companyName: nextName('Haulage'), companyAddress: 'Lagos', fullName: 'Ada', country: 'NG' },
        ...{ email: 'ada@example.test', phone },
      }),
      '/dispatch/orders': order,
      '/dispatch/order-templates': () => ({ name: nextName('Weekly'), order: pattern }),
    }

    test.each(Object.entries(bodies))('%s: of six at once two pass', async (path, body) => {
      const user = await buildUser(t)
      const answers = await Promise.all(Array.from({ length: 6 }, () => post(user, path, body())))
      expect(codes(answers).toSorted()).toEqual([200, 200, ...Array<string>(4).fill('QUOTA_EXCEEDED')])
    })

    test('a file that would exceed it is refused as a whole, by a dry run, too', async () => {
      const user = await buildUser(t)
      const csv = 'name\nAda\nMusa\nZainab'
      for (const dryRun of [true, false])
        expect(codes([await post(user, '/dispatch/contacts/import', { csv, dryRun })])).toEqual(['QUOTA_EXCEEDED'])
      expect(codes([await post(user, '/dispatch/contacts/import', { csv: 'name\nAda\nMusa', dryRun: false })])).toEqual(
        [200],
      )
    })

    test('an order that is over makes room, up to those of a day', async () => {
      const user = await buildUser(t, { locale: 'es' })
      const make = () => post(user, '/dispatch/orders', order())
      const [first] = [await make(), await make()]
      expect((await make()).body.message).toContain('2 pedidos sin terminar')
      const { status } = await t.call('PATCH', `/dispatch/orders/${first?.body.payload.id}/cancel`, {
        ...{ token: user.token, body: { reason: 'Not needed' } },
      })
      expect(status).toBe(200)
      expect((await make()).status).toBe(200)
      expect((await make()).body.message).toContain('2 pedidos sin terminar')
      await t.change(user.companyId, `update orders set state = 'cancelled', cancelled_at = created_at`, [])
      expect((await make()).body.message).toContain('3 pedidos en 24 horas')
      t.clock.advance(24 * 3_600_000 + 1)
      expect((await make()).status).toBe(200)
    })
  })

  describe('of what export needs', () => {
    const place = () => ({ name: nextName('Pack house'), country: 'ZA', timezone: 'Africa/Johannesburg' })
    const pass = async (answers: Promise<Awaited<ReturnType<typeof post>>[]>) => codes(await answers).toSorted()
    const shipping = async (user: TestUser) => {
      const [origin, destination] = [
        await aShipmentPlace(t, user),
        await aShipmentPlace(t, user, { kind: 'destination' }),
      ]
      const shipment = {
        ...{ logistics: 'external', product: 'Oranges', originId: origin.id, destinationId: destination.id },
        legs: [{ mode: 'sea', fromPort: 'ZACPT', toPort: 'NLRTM' }],
      }
      return { make: () => post(user, '/export/shipments', shipment) }
    }
    const twoOfSix = [200, 200, ...Array<string>(4).fill('QUOTA_EXCEEDED')]

    test('origins and destinations count together', async () => {
      const user = await buildUser(t, { locale: 'sw' })
      const paths = Array.from({ length: 6 }, (_, n) => `/export/${n % 2 ? 'origins' : 'destinations'}`)
      expect(await pass(Promise.all(paths.map((path) => post(user, path, place()))))).toEqual(twoOfSix)
      expect((await post(user, '/export/origins', place())).body.message).toContain('yasiyozidi 2')
    })

    test('shipments: of six at once two pass, and one that is cancelled makes room', async () => {
      const user = await buildUser(t)
      const { make } = await shipping(user)
      const answers = await Promise.all(Array.from({ length: 6 }, make))
      expect(codes(answers).toSorted(), JSON.stringify(answers.map(({ body }) => body))).toEqual(twoOfSix)
      await t.change(
        user.companyId,
        `update shipments set state = 'cancelled', cancelled_at = created_at where number = 1`,
        [],
      )
      expect(codes([await make(), await make()])).toEqual([200, 'QUOTA_EXCEEDED'])
    })

    test('shipments of a day count although they are cancelled, in the person’s language', async () => {
      const user = await buildUser(t, { locale: 'fr' })
      const { make } = await shipping(user)
      const cancelAll = () =>
        t.change(user.companyId, `update shipments set state = 'cancelled', cancelled_at = created_at`, [])
      for (const count of [1, 2, 3]) {
        const { status, body } = await make()
        expect([count, status, body.code]).toEqual([count, 200, undefined])
        await cancelAll()
      }
      expect((await make()).body).toMatchObject({
        code: 'QUOTA_EXCEEDED',
        message: 'Votre entreprise peut créer au plus 3 expéditions en 24 heures. Réessayez plus tard.',
      })
      t.clock.advance(24 * 3_600_000 + 1)
      expect((await make()).status).toBe(200)
    })
  })

  test('two requests at once do not pass together', async () => {
    const user = await buildUser(t)
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(user, '/point-of-interests', point())))
    expect(codes(answers).filter((code) => code === 200)).toHaveLength(3)
  })

  test('a trial gives no larger figure: anybody gets one', async () => {
    const user = await buildUser(t)
    await aLicence(t, user.companyId, { source: 'trial' })
    for (let n = 0; n < 3; n++) await post(user, '/point-of-interests', point())
    expect(codes([await post(user, '/point-of-interests', point())])).toEqual(['QUOTA_EXCEEDED'])
  })

  test('a licence gives the larger figure, and what is deleted makes room', async () => {
    const user = await buildUser(t)
    await license(user)
    for (let n = 0; n < 6; n++) expect((await post(user, '/point-of-interests', point())).status).toBe(200)
    expect(codes([await post(user, '/point-of-interests', point())])).toEqual(['QUOTA_EXCEEDED'])
    const { body } = await t.call('GET', '/point-of-interests', { token: user.token })
    await t.call('DELETE', `/point-of-interests/${body.payload.data[0].id}`, { token: user.token })
    expect((await post(user, '/point-of-interests', point())).status).toBe(200)
  })

  test('one company’s places count for no other one', async () => {
    const [one, other] = [await buildUser(t), await buildUser(t)]
    for (let n = 0; n < 3; n++) await post(one, '/point-of-interests', point())
    expect((await post(other, '/point-of-interests', point())).status).toBe(200)
  })
})

describe('the disk', () => {
  /** With 4 % of it free, where 5 % are asked for. */
  const whileLow = async <T>(work: () => Promise<T>): Promise<T> => {
    const before = t.services.disk
    const space = async () => ({ free: 4e9, total: 100e9 })
    t.services.disk = new DiskWatch({ minFreeDisk: { share: 0.05, bytes: 1e9 } }, t.services.log, space)
    try {
      return await work()
    } finally {
      t.services.disk = before
    }
  }
  const attach = async (user: TestUser, recordId: string, kb: number) =>
    post(user, `/enterprise/record/${recordId}/attachments`, { file: new SentFile('notes.txt', 'a'.repeat(kb * 1000)) })

  test('a company without a licence cannot fill it: attachments end at its quota, also those taken away (H4)', async () => {
    const user = await buildUser(t)
    const [first, second] = [await buildRecord(t, user), await buildRecord(t, user)]
    const kept = await attach(user, first.id, 600)
    expect(codes([kept, await attach(user, second.id, 600)])).toEqual([200, 'QUOTA_EXCEEDED'])
    await t.call('DELETE', `/enterprise/record-attachments/${kept.body.payload.id}`, { token: user.token })
    expect(codes([await attach(user, second.id, 600), await attach(user, second.id, 300)])).toEqual([
      'QUOTA_EXCEEDED',
      200,
    ])
  })

  test('files that are full take no further report (H4)', async () => {
    const user = await buildUser(t)
    const record = await buildRecord(t, user)
    for (const kb of [500, 500]) expect((await attach(user, record.id, kb)).status).toBe(200)
    const { id } = await aDevice(t, user)
    const refused = await report(user, id)
    expect(codes([refused])).toEqual(['QUOTA_EXCEEDED'])
  })

  test('nearly full, it takes neither uploads nor reports, and /ready warns while readings go on (H4)', async () => {
    const user = await buildUser(t)
    const record = await buildRecord(t, user)
    const { id } = await aDevice(t, user)
    const { refused, ready } = await whileLow(async () => ({
      refused: [await attach(user, record.id, 1), await report(user, id)],
      ready: await t.app.inject('/ready'),
    }))
    expect(codes(refused)).toEqual(['STORAGE_LOW', 'STORAGE_LOW'])
    expect(refused.map(({ status, headers }) => [status, headers['retry-after']])).toEqual([
      [503, '600'],
      [503, '600'],
    ])
    expect([ready.statusCode, ready.json()]).toEqual([
      200,
      expect.objectContaining({ status: 'ready', warnings: ['disk'] }),
    ])
    expect((await t.app.inject('/ready')).json()).not.toHaveProperty('warnings')
  })

  test('a scheduled report that finds no room fails, and says why (H4)', async () => {
    const user = await buildUser(t)
    const { id } = await aDevice(t, user)
    const saved = (await post(user, '/report', { ...daily(user), deviceIds: [String(id)] })).body.payload
    expect((await post(user, `/report/${saved.id}/run`)).status).toBe(200)
    await t.pool.query(`delete from waiting_jobs where (payload ->> 'companyId')::int <> $1`, [user.companyId])
    await whileLow(() => t.runJobs())
    const runs = (await t.call('GET', `/report/${saved.id}/runs`, { token: user.token })).body.payload
    expect(runs.data).toMatchObject([{ state: 'failed', failure: 'storageFull' }])
  })
})

const now = () => t.clock.now().getTime()
const period = () => ({ from: new Date(now() - 3_600_000).toISOString(), to: new Date(now()).toISOString() })
const report = (user: TestUser, deviceId: number) =>
  post(user, `/devices/${deviceId}/history/report`, { ...period(), format: 'csv' })

describe('reports that wait to be built (M7)', () => {
  test('are at most three of one person, over all kinds, and the answer says when to ask again', async () => {
    const user = await buildUser(t)
    const { id } = await aDevice(t, user)
    const group = await buildGroup(t, user, { deviceIds: [id], userIds: [user.id] })
    const record = await buildRecord(t, { companyId: user.companyId, deviceIds: [id] })
    const answers = [
      await report(user, id),
      await post(user, '/groups/download-report', { groupId: group.id, ...period(), format: 'csv' }),
      await post(user, `/enterprise/record/${record.id}/report`),
    ]
    expect(codes(answers)).toEqual([200, 200, 200])
    const refused = await report(user, id)
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([429, 'REPORTS_WAITING', '60'])
    expect(refused.body.message).toBe('3 reports are still waiting to be built. Try again in 60 s.')
    const saved = await post(user, '/report', { ...daily(user), deviceIds: [String(id)] })
    expect(codes([await post(user, `/report/${saved.body.payload.id}/run`)])).toEqual(['REPORTS_WAITING'])
  })

  test('are at most five of one company; another company’s count for nothing', async () => {
    const [one, other] = [await buildUser(t), await buildUser(t)]
    const colleague = await buildUser(t, { company: one })
    const [{ id }, { id: elsewhere }] = [await aDevice(t, one), await aDevice(t, other)]
    for (const user of [one, one, one, colleague, colleague]) expect((await report(user, id)).status).toBe(200)
    expect(codes([await report(colleague, id)])).toEqual(['REPORTS_WAITING'])
    expect((await report(other, elsewhere)).status).toBe(200)
  })

  test('ten asked for at once are three', async () => {
    const user = await buildUser(t)
    const { id } = await aDevice(t, user)
    const answers = await Promise.all(Array.from({ length: 10 }, () => report(user, id)))
    expect(codes(answers).filter((code) => code === 200)).toHaveLength(3)
  })

  test('one that was asked for long ago and never built keeps nobody from asking', async () => {
    const user = await buildUser(t)
    const { id } = await aDevice(t, user)
    for (let n = 0; n < 3; n++) await report(user, id)
    t.clock.advance(7 * 3_600_000)
    expect((await report(user, id)).status).toBe(200)
  })
})
