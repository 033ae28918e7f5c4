import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isOpenToKeys, takesIdempotencyKey } from '@isotherm/contract/call.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../src/platform/db/pool.ts'
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
 * A server is killed after it did what a call asked for, and before it kept the answer. Every write that has work after its transaction is made once.
 * Where its answer is kept in a transaction that does nothing else, this is lost, as by such a kill, and the same call comes again once it counts as cut off.
 */

/** Such writes, by the files that make them; whether the answer is kept by itself, and not with what was asked for. */
const sources: Record<string, Record<string, boolean>> = {
  'features/cards/check-page.ts': { 'cards.check': true },
  'features/cards/routes.ts': { 'cards.add': true },
  'features/billing/check-payment.ts': { 'billing.checkPayment': true },
  'features/company/logo.ts': { 'company.changeLogo': false, 'company.removeLogo': false },
  'features/epcis/routes.ts': { 'epcis.push': false },
  'features/sso/domains.ts': { 'sso.checkDomain': true },
  // The scene of the second has an answer that proves nothing.
  'features/sso/prove.ts': { 'sso.finishTest': false, 'sso.finishProof': true },
  'features/sso/save-issuer.ts': { 'sso.save': false },
  'features/subscription/pay-renewal.ts': { 'plans.payRenewal': true },
  'features/subscription/change-plan.ts': { 'plans.change': true },
  'core/billing/buy.ts': { 'wallet.buy': true, 'wallet.buyAny': true, 'plans.subscribe': true },
  // The function that those two use.
  'core/billing/pay.ts': {},
  // PDFs, which take no key.
  'features/billing/routes.ts': {},
}
const isApart: Record<string, boolean> = Object.assign({}, ...Object.values(sources))

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
const writes = everyCall.filter(({ call, name }) => takesIdempotencyKey(call) && name in isApart)
const cutOffMs = 121_000

const keeps = /^\s*update idempotency_keys set answer/i
const isWriting = /^\s*(insert|update|delete)\b/i
const textOf = (query: unknown) =>
  typeof query === 'string' ? query : String((query as { text?: string })?.text ?? '')

/** Does `work` on a server that is killed wherever it would keep an answer by itself; says whether it was. */
async function losingAnswers(app: TestApp, work: () => Promise<void>): Promise<boolean> {
  const { pool } = app.services
  // The pool itself asks with a callback.
  const connect = pool.connect.bind(pool) as (...callback: unknown[]) => Promise<Client>
  const restore: (() => void)[] = []
  let isLost = false
  const watched = (client: Client) => {
    const { query } = client
    let hasWritten = false
    const ask = (...given: unknown[]) => {
      const text = textOf(given[0])
      if (/^\s*begin/i.test(text)) hasWritten = false
      if (keeps.test(text) && !hasWritten) {
        isLost = true
        return Promise.reject(new Error('killed'))
      }
      hasWritten ||= isWriting.test(text)
      return (query as (...all: unknown[]) => unknown).apply(client, given)
    }
    Object.assign(client, { query: ask })
    restore.push(() => Object.assign(client, { query }))
    return client
  }
  Object.assign(pool, {
    connect: (...callback: unknown[]) => (callback.length > 0 ? connect(...callback) : connect().then(watched)),
  })
  try {
    await work()
  } finally {
    Object.assign(pool, { connect })
    for (const back of restore.reverse()) back()
  }
  return isLost
}

/** How many calls of people and keys have left entries in the trail. */
const writers = async (app: TestApp): Promise<number> =>
  (
    await app.rows<{ n: number }>(
      `select count(distinct origin ->> 'requestId')::int as n from audit_log where actor ->> 'kind' in ('user', 'key')`,
    )
  )[0]?.n ?? 0

describe.each(writes)('$name', (named) => {
  test('whose answer is lost with its server is not done again, and answers what was done', async () => {
    const app = named.name in ofMoney ? money.t : t
    const fitting = await fittingCall(app, named, scenes[named.name] ?? ofMoney[named.name])
    const { ids, body, admin } = fitting
    const token = fitting.token ?? (isOpenToKeys(named.call) ? (await aKey(app, admin, { admin })).secret : admin.token)
    const before = await writers(app)
    const ask = () => askCall(app, listed, named, { token, ids, body, headers: { 'idempotency-key': 'cut off' } })
    let first: Awaited<ReturnType<typeof ask>> | undefined
    const isLost = await losingAnswers(app, async () => {
      first = await ask()
    })
    expect(first).toMatchObject({ status: 200 })
    expect(isLost).toBe(isApart[named.name])
    app.clock.advance(cutOffMs)
    const again = await ask()
    // A call that looks again says when.
    const shown = (text = '') => (isLost ? text.replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, 'then') : text)
    expect({ ...again, text: shown(again.text) }).toEqual({ ...first, text: shown(first?.text), isReplayed: !isLost })
    expect((await writers(app)) - before).toBeLessThanOrEqual(1)
  })
})

test('those are all of them', async () => {
  expect(writes.map(({ name }) => name).sort()).toEqual(Object.keys(isApart).sort())
  const source = fileURLToPath(new URL('../src', import.meta.url))
  const files = (await readdir(source, { recursive: true })).filter((name) =>
    /^(features|core)\/.*(?<!\.test)\.ts$/.test(name),
  )
  const texts = await Promise.all(
    files.map(async (name) => [name, await readFile(join(source, name), 'utf8')] as const),
  )
  const having = texts.flatMap(([name, text]) => (/new AfterCommit\(|payAfterCommit\(/.test(text) ? [name] : []))
  expect(having.sort()).toEqual(Object.keys(sources).sort())
})
