import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildUser, inCompany, type TestUser } from '../../../test/factories.ts'
import { sendAllDue } from '../../../test/webhook-factory.ts'
import { noteEvents } from '../../core/events/note-events.ts'
import { numberEvents } from '../../core/events/number-queries.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import { forgetEvents } from './jobs.ts'

const t = describeApp()

const day = 86_400_000
let admin: TestUser
beforeEach(async () => {
  admin = await buildUser(t)
})

const read = async (query: Record<string, string> = {}, user = admin) =>
  (await t.call('GET', '/events', { token: user.token, query })).body.payload
const number = () => sendAllDue(t.services)

let count = 0
const note = (tx: Tx, companyId: number, key: string, deviceIds?: number[], at = t.clock.now()) =>
  noteEvents(tx, [
    {
      ...{ companyId, type: 'report.ready', key, at, ...(deviceIds && { deviceIds }) },
      data: { reportId: key, kind: 'device', format: 'pdf' },
    },
  ])
const happen = (deviceIds?: number[], { companyId } = admin) =>
  inCompany(t, companyId, ({ tx }) => note(tx, companyId, String(++count), deviceIds))
const reports = (page: { data: { data: { reportId: string } }[] }) => page.data.map(({ data }) => data.reportId)

test('the first call switches the feed on: what happened before is in none', async () => {
  await happen()
  const first = await read()
  expect(first).toEqual({
    data: [],
    next: '0',
    hasMore: false,
    isIncomplete: false,
    since: t.clock.now().toISOString(),
  })
  await happen()
  await number()
  const page = await read({ after: first.next })
  expect(page.data).toMatchObject([
    {
      id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      type: 'report.ready',
      timestamp: t.clock.now().toISOString(),
      data: { reportId: String(count), sequence: 1, href: expect.stringContaining('/device-reports/') },
    },
  ])
  expect([page.next, page.hasMore, (await read({ after: page.next })).data]).toEqual(['1', false, []])
})

test('it is paged by numbers, filtered by types, and tells what was forgotten meanwhile', async () => {
  await read()
  for (let n = 0; n < 5; n++) await happen()
  await number()
  const first = await read({ limit: '2' })
  const second = await read({ limit: '2', after: first.next })
  expect([first.next, second.next, second.hasMore, reports(second).length]).toEqual(['2', '4', true, 2])
  expect((await read({ types: 'order.started,alarm.opened' })).data).toEqual([])
  expect(reports(await read({ types: 'report.ready,order.started' }))).toHaveLength(5)
  t.clock.advance(31 * day)
  await happen()
  await number()
  admin = await buildUser(t, { company: admin })
  await read()
  await forgetEvents.run(t.services, {})
  const later = await read({ after: first.next })
  expect(later).toMatchObject({ isIncomplete: true, next: '6', data: [{ data: { sequence: 6 } }] })
  expect(await read({ after: '6' })).toMatchObject({ isIncomplete: false, data: [] })
  expect(await read({ after: '5' })).toMatchObject({ isIncomplete: false, data: [{}] })
})

test('a feed that nobody reads for a month is off, and a later call switches it on again; numbers go on', async () => {
  await read()
  await happen()
  await number()
  t.clock.advance(31 * day)
  await forgetEvents.run(t.services, {})
  await happen()
  admin = await buildUser(t, { company: admin })
  const back = await read({ after: '1' })
  expect(back).toMatchObject({ data: [], next: '2', isIncomplete: true, since: t.clock.now().toISOString() })
  await happen()
  await number()
  expect(await read({ after: '2' })).toMatchObject({ isIncomplete: false, data: [{ data: { sequence: 3 } }] })
  expect(await read({ after: '1' })).toMatchObject({ isIncomplete: true, data: [{ data: { sequence: 3 } }] })
})

test('what happened while the feed was off is missing between events that are kept', async () => {
  await read()
  t.clock.advance(20 * day)
  await happen()
  await number()
  t.clock.advance(11 * day)
  await forgetEvents.run(t.services, {})
  await happen()
  admin = await buildUser(t, { company: admin })
  expect(await read({ after: '0' })).toMatchObject({ next: '2', isIncomplete: true, data: [{ data: { sequence: 1 } }] })
  await happen()
  await number()
  expect(await read({ after: '1' })).toMatchObject({ isIncomplete: true, data: [{ data: { sequence: 3 } }] })
  expect(await read({ after: '0', limit: '1' })).toMatchObject({ next: '1', isIncomplete: false })
  expect(await read({ after: '2' })).toMatchObject({ isIncomplete: false })
})

test('a feed that was empty says so, too, where it was off meanwhile', async () => {
  expect(await read()).toMatchObject({ next: '0', isIncomplete: false })
  t.clock.advance(31 * day)
  await forgetEvents.run(t.services, {})
  await happen()
  admin = await buildUser(t, { company: admin })
  expect(await read({ after: '0' })).toMatchObject({ data: [], next: '1', isIncomplete: true })
  expect(await read({ after: '1' })).toMatchObject({ data: [], next: '1', isIncomplete: false })
})

test('a number that a restored database has not reached begins at the oldest event, and says that some are missing', async () => {
  await read()
  await happen()
  await happen()
  await number()
  const page = await read({ after: '40' })
  expect(page).toMatchObject({ next: '2', hasMore: false, isIncomplete: true })
  expect(reports(page)).toHaveLength(2)
  expect(await read({ after: page.next })).toMatchObject({ data: [], isIncomplete: false })
})

test('an event of a clock that stands weeks back, as in a sandbox, is kept as long as others', async () => {
  await read()
  const at = new Date(t.clock.now().getTime() - 40 * day)
  await inCompany(t, admin.companyId, ({ tx }) => note(tx, admin.companyId, 'back', undefined, at))
  await number()
  const kept = async (days: number) => {
    t.clock.advance(days * day)
    await forgetEvents.run(t.services, {})
    admin = await buildUser(t, { company: admin })
    return reports(await read())
  }
  expect([await kept(1), await kept(28), await kept(2)]).toEqual([['back'], ['back'], []])
})

test('each reads what they may view: types by their role, things as private as they are now', async () => {
  const staff = await buildUser(t, { company: admin, role: 'staff' })
  await read()
  const device = await aDevice(t, { ...admin, visibility: 'private' })
  await happen([device.id])
  await inCompany(t, admin.companyId, ({ tx }) =>
    noteEvents(tx, [
      {
        ...{ companyId: admin.companyId, type: 'wallet.low', key: '1', at: t.clock.now() },
        data: { wallet: 'sms', units: 3 },
      },
    ]),
  )
  await number()
  const types = async (user: TestUser) => (await read({}, user)).data.map(({ type }: { type: string }) => type)
  expect([await types(admin), await types(staff)]).toEqual([['device.claimed', 'report.ready', 'wallet.low'], []])
  await t.change(admin.companyId, `update devices set visibility = 'public' where company_id = $1`, [admin.companyId])
  expect(await types(staff)).toEqual(['device.claimed', 'report.ready'])
  const stranger = await buildUser(t)
  expect((await read({}, stranger)).data).toEqual([])
})

test.each([
  ['after', { after: '-1' }],
  ['after', { after: 'abc' }],
  ['types', { types: 'webhook.test' }],
  ['types', { types: 'everything' }],
  ['limit', { limit: '0' }],
  ['limit', { limit: '501' }],
])('bad input names its field: %s', async (field, query) => {
  const { status, body } = await t.call('GET', '/events', {
    token: admin.token,
    query: query as Record<string, string>,
  })
  expect([status, JSON.stringify(body.fields)]).toEqual([422, expect.stringContaining(`"${field}`)])
})

/** Transactions that write events and commit in any order, a numbering that runs in between, and a reader who follows. */
const Step = fc.oneof(
  fc.record({ do: fc.constant('begin' as const), which: fc.nat(3) }),
  fc.record({ do: fc.constant('note' as const), which: fc.nat(3) }),
  fc.record({ do: fc.constant('end' as const), which: fc.nat(3), commits: fc.boolean() }),
  fc.record({ do: fc.constant('number' as const), which: fc.nat(3) }),
  fc.record({ do: fc.constant('read' as const), which: fc.nat(3) }),
)

test('whoever follows the feed gets every event that was committed, once, in whatever order transactions end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const company = await buildUser(t)
      let { next } = await read({}, company)
      const [got, committed] = [[] as string[], [] as string[]]
      const follow = async () => {
        const page = await read({ after: next }, company)
        got.push(...reports(page))
        next = page.next
      }
      const open = new Map<number, { tx: Tx; keys: string[]; end(commits: boolean): Promise<void> }>()
      const end = async (which: number, commits: boolean) => {
        const one = open.get(which)
        open.delete(which)
        if (!one) return
        await one.end(commits)
        if (commits) committed.push(...one.keys)
      }
      for (const step of steps) {
        const { which } = step
        const one = open.get(which)
        if (step.do === 'begin' && !one) open.set(which, await beginIn(company.companyId))
        if (step.do === 'note' && one) {
          const key = String(++count)
          one.keys.push(key)
          await note(one.tx, company.companyId, key)
        }
        if (step.do === 'end') await end(which, step.commits)
        if (step.do === 'number')
          await asPipeline(t.pool, ({ tx }) => numberEvents(tx, [company.companyId], 3, t.clock.now()))
        if (step.do === 'read') await follow()
      }
      for (const which of [...open.keys()]) await end(which, true)
      await number()
      await follow()
      expect(got.toSorted()).toEqual(committed.toSorted())
    }),
    { numRuns: 25 },
  )
})

/** A transaction of the company that stays open until it is ended. */
function beginIn(companyId: number): Promise<{ tx: Tx; keys: string[]; end(commits: boolean): Promise<void> }> {
  return new Promise((begun) => {
    let finish: (commits: boolean) => void = () => {}
    const ended = new Promise<boolean>((resolve) => {
      finish = resolve
    })
    const over = inCompany(t, companyId, async ({ tx }) => {
      begun({
        ...{ tx, keys: [] },
        end: async (commits) => {
          finish(commits)
          await over
        },
      })
      if (!(await ended)) throw new Error('rolled back')
    }).catch(() => undefined)
  })
}

test('many servers number at once, and none gives a number twice', async () => {
  await read()
  for (let n = 0; n < 20; n++) await happen()
  const numberOnce = () => asPipeline(t.pool, ({ tx }) => numberEvents(tx, [admin.companyId], 3, t.clock.now()))
  for (let rounds = 0; rounds < 10; rounds++) await Promise.all([numberOnce(), numberOnce(), numberOnce()])
  const sequences = (await read({ limit: '100' })).data.map(({ data }: { data: { sequence: number } }) => data.sequence)
  expect(sequences).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
})
