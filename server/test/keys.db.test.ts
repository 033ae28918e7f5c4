import { isOpenToKeys } from '@isotherm/contract/call.ts'
import { neverOfKeys, type Permission, permissions } from '@isotherm/contract/permissions.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { askCall, listedStatuses, ownIds } from './ask-call.ts'
import { describeApp } from './describe-app.ts'
import { buildCompany, buildUser } from './factories.ts'
import { aKey, type TestKey } from './key-factory.ts'
import { everyCall, idParams, isStream, type NamedCall } from './samples.ts'

const t = describeApp()
const secured = everyCall.filter(({ call }) => call.needs !== 'public')
const open = secured.filter(({ call }) => isOpenToKeys(call))
const guarded = open.filter(({ call }) => call.needs !== 'session')
const closed = secured.filter(({ call }) => !isOpenToKeys(call))

let listed: Map<string, number[]>
let everything: TestKey
let nothing: TestKey
beforeAll(async () => {
  listed = await listedStatuses(t)
  everything = await aKey(t, await buildCompany(t), { seesPrivate: true })
  nothing = await aKey(t, await buildCompany(t), { permissions: [] })
})

/** Keys with one permission, or with all but one, each made once. */
const made = new Map<string, Promise<TestKey>>()
function keyWith(name: string, granted: readonly Permission[]): Promise<TestKey> {
  const key = made.get(name) ?? buildCompany(t).then((company) => aKey(t, company, { permissions: granted }))
  made.set(name, key)
  return key
}

const ask = (named: NamedCall, token: string, ids: Record<string, string> = {}, more = {}) =>
  askCall(t, listed, named, { token, ids, ...more })

test('keys call rows that need a permission, a few others, and never what is an Admin’s or a person’s own', () => {
  expect(guarded.length).toBeGreaterThan(100)
  expect(open.filter(({ call }) => call.needs === 'session').map(({ name }) => name)).toEqual([
    'company.businessApi',
    'places.geocode',
    'subscription.entitlement',
    'support.features',
    'webhooks.feed',
  ])
  expect(
    closed
      .filter(({ call }) => call.needs !== 'session' && call.needs !== 'admin')
      .map(({ name }) => name)
      .sort(),
  ).toEqual([
    'cards.add',
    'cards.check',
    'plans.change',
    'plans.payRenewal',
    'plans.subscribe',
    'records.sign',
    'reports.add',
    'reports.change',
    'shareLinks.shareDevice',
    'shareLinks.shareGroup',
    'support.askToBuy',
    'users.change',
    'users.changeRole',
    'users.invite',
    'users.inviteAgain',
    'users.remove',
    'wallet.buy',
    'wallet.buyAny',
    'wallet.change',
  ])
})

test('no key calls what needs a fresh proof, or what invites, changes or removes people or changes roles', () => {
  const never = secured.filter(({ call }) => call.needsProof || call.needs === neverOfKeys)
  expect(never.length).toBeGreaterThan(25)
  expect(never.filter(({ call }) => isOpenToKeys(call))).toEqual([])
})

describe.each(closed)('$name', (named) => {
  test('is closed to a key with every permission', async () => {
    const before = await keyWith('every one, as keys had them once', permissions)
    for (const { secret } of [everything, before]) expect((await ask(named, secret)).status).toBe(403)
  })
})

describe.each(guarded)('$name', (named) => {
  const needed = named.call.needs as Permission

  test('lets a key in by its permission alone', async () => {
    const key = await keyWith(needed, [needed])
    const { status } = await ask(named, key.secret, await ownIds(t, named, key.companyId, key.id))
    expect([401, 403]).not.toContain(status)
    expect(status).toBeLessThan(500)
    if (idParams(named.call).length > 0) expect(status).not.toBe(404)
  })

  test('is 403 for a key with every other permission, and for one with none', async () => {
    const key = await keyWith(
      `all but ${needed}`,
      permissions.filter((each) => each !== needed),
    )
    for (const { secret } of [key, nothing]) expect((await ask(named, secret)).code).toBe('FORBIDDEN')
  })

  test('is 404 for the ids of another company', async () => {
    const theirs = await buildCompany(t)
    const [own, foreign] = [await ownIds(t, named, everything.companyId), await ownIds(t, named, theirs.companyId)]
    for (const { name } of idParams(named.call))
      expect((await ask(named, everything.secret, { ...own, [name]: foreign[name] ?? '' })).status, name).toBe(404)
  })
})

describe('a key that is over', () => {
  const far = '198.51.100.7'
  let [revoked, bound, expired] = [] as unknown as [TestKey, TestKey, TestKey]
  beforeAll(async () => {
    const admin = await buildUser(t)
    revoked = await aKey(t, admin, { admin })
    bound = await aKey(t, admin, { admin, networks: ['192.0.2.0/24'] })
    expired = await aKey(t, admin, { admin })
    await t.call('DELETE', `/developer/keys/${revoked.id}`, { token: admin.token })
    await t.change(admin.companyId, 'update api_keys set expires_at = $1 where id = $2', [t.clock.now(), expired.id])
  })

  // The stream has no transaction, and no key may listen to it in any case.
  test.each(secured.filter(({ call }) => !isStream(call)))(
    '$name is 401, with what became of the key',
    async (named) => {
      const codeOf = async ({ secret }: TestKey, more = {}) => (await ask(named, secret, {}, more)).code
      expect(await codeOf(revoked)).toBe('KEY_REVOKED')
      expect(await codeOf(expired)).toBe('KEY_EXPIRED')
      expect(await codeOf(bound, { address: far })).toBe('KEY_WRONG_NETWORK')
    },
  )
})
