import { isOpenToKeys, takesIdempotencyKey } from '@isotherm/contract/call.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { textsOf } from '../src/platform/i18n/i18n.ts'
import { askCall, listedStatuses } from './ask-call.ts'
import { describeApp, describePipeline } from './describe-app.ts'
import { fittingCall, type Scene } from './fitting-calls.ts'
import { dispatchScenes } from './fitting-dispatch.ts'
import { goodsScenes } from './fitting-goods.ts'
import { moneyScenes } from './fitting-money.ts'
import { peopleScenes } from './fitting-people.ts'
import { ssoScenes } from './fitting-sso.ts'
import type { TestApp } from './harness.ts'
import { aKey } from './key-factory.ts'
import { type OidcPeer, startOidcPeer } from './oidc-peer.ts'
import { describeRenewals } from './renewal-scene.ts'
import { everyCall } from './samples.ts'

/*
 * Every write of somebody who is known is made ten times at once under one Idempotency-Key, and once more after that. Each has something to do: what it
 * is made with is generated from its row, and where its own rules want more, a scene says it.
 */

const t = describeApp({ webhookAllowPrivate: true, publicUrl: 'http://localhost:8080' })
describePipeline(t)
const money = await describeRenewals()
let peer: OidcPeer
let listed: Map<string, number[]>
beforeAll(async () => {
  listed = await listedStatuses(t)
  peer = await startOidcPeer('http://localhost:8080/login/sso')
})
afterAll(() => peer.close())

const ofMoney = moneyScenes(money)
const scenes: Record<string, Scene> = { ...peopleScenes, ...goodsScenes, ...dispatchScenes, ...ssoScenes(() => peer) }

const writes = everyCall.filter(({ call }) => takesIdempotencyKey(call))

test('every scene is that of a write, and no write has two', () => {
  const told = [...Object.keys(scenes), ...Object.keys(ofMoney)]
  expect(told.filter((name) => !writes.some((write) => write.name === name))).toEqual([])
  expect(told.length).toBe(new Set(told).size)
})

/** How many calls of people and keys have left entries in the trail. */
const writers = async (app: TestApp): Promise<number> =>
  (
    await app.rows<{ n: number }>(
      `select count(distinct origin ->> 'requestId')::int as n from audit_log where actor ->> 'kind' in ('user', 'key')`,
    )
  )[0]?.n ?? 0

describe.each(writes)('$name', (named) => {
  test('ten times at once with one Idempotency-Key, and once more, is done once and always answers the same', async () => {
    const app = named.name in ofMoney ? money.t : t
    const fitting = await fittingCall(app, named, scenes[named.name] ?? ofMoney[named.name])
    const { ids, body, admin } = fitting
    const token = fitting.token ?? (isOpenToKeys(named.call) ? (await aKey(app, admin, { admin })).secret : admin.token)
    const before = await writers(app)
    const ask = () => askCall(app, listed, named, { token, ids, body, headers: { 'idempotency-key': 'the same' } })
    const answers = await Promise.all(Array.from({ length: 10 }, ask))
    const done = answers.filter(({ isReplayed, status }) => !isReplayed && status !== 401)
    expect(done).toMatchObject([{ status: 200 }])
    const rest = [...answers.filter((answer) => answer !== done[0]), await ask()]
    // It may have ended the session that it was made with.
    const known = rest.filter(({ status }) => status !== 401)
    expect(known).toEqual(known.map(() => ({ ...done[0], isReplayed: true })))
    const wrote = (await writers(app)) - before
    if (named.call.auditOptional) expect(wrote).toBeLessThanOrEqual(1)
    else expect(wrote).toBe(1)
  })
})

/** The trail names a device beside its number; the modules of a role have the words of the users' screen. */
const saidElsewhere = new Set(['deviceId', 'alarms', 'dispatch', 'payments', 'reports'])
const hasWord = (step: string) =>
  saidElsewhere.has(step) ||
  step in textsOf('en', 'auditWords:fields') ||
  step.replace(/Id$/, '') in textsOf('en', 'shipments:fields')

test('each fact that these writes left in the trail has a name in words', async () => {
  const facts = await Promise.all(
    [t, money.t].map((app) =>
      app.rows<{ action: string; name: string }>(
        `select distinct action, name from audit_log, lateral (
           select jsonb_object_keys(case when jsonb_typeof(side) = 'object' then side else '{}' end) as name
           from (values (before), (after)) as sides (side)) as names`,
      ),
    ),
  )
  const nameless = facts.flat().filter(({ name }) => !hasWord(name))
  expect([...new Set(nameless.map(({ action, name }) => `${action}: ${name}`))].sort()).toEqual([])
})
