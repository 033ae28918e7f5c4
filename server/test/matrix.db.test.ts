import { type ErrorCode, errorStatus } from '@isotherm/contract/errors.ts'
import { type Permission, permissions, type Role } from '@isotherm/contract/permissions.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { askCall, listedStatuses, ownIds } from './ask-call.ts'
import { describeApp } from './describe-app.ts'
import { buildCompany, buildUser, only, setMatrix, type TestUser } from './factories.ts'
import { everyCall, idParams, type NamedCall } from './samples.ts'

let everything: Record<'manager' | 'staff', TestUser>
let nothing: Record<'manager' | 'staff', TestUser>
/** By method and path: the statuses that the OpenAPI document lists. */
let listed: Map<string, number[]>

const t = describeApp()
beforeAll(async () => {
  everything = await roleHolders(permissions)
  nothing = await roleHolders([])
  listed = await listedStatuses(t)
})

/** A Manager and a Staff member of one new company, whose roles have just these permissions. */
async function roleHolders(granted: readonly Permission[]) {
  const company = await buildCompany(t)
  const holder = async (role: 'manager' | 'staff') => {
    await setMatrix(t, company.companyId, role, only(...granted))
    return buildUser(t, { company, role })
  }
  return { manager: await holder('manager'), staff: await holder('staff') }
}

async function person(role: Role, granted: readonly Permission[]): Promise<TestUser> {
  return role === 'admin' ? buildUser(t) : (await roleHolders(granted))[role]
}

const idsOf = (named: NamedCall, companyId: number, userId?: string) => ownIds(t, named, companyId, userId)
/** A request whose input the contract accepts; returns its status. */
const ask = async (named: NamedCall, token: string | undefined, ids: Record<string, string>): Promise<number> =>
  (await answerOf(named, token, ids)).status
async function answerOf(named: NamedCall, token: string | undefined, ids: Record<string, string>) {
  const { status, code } = await askCall(t, listed, named, { token, ids })
  return { status, code }
}

async function isLetIn(named: NamedCall, user: TestUser) {
  const status = await ask(named, user.token, await idsOf(named, user.companyId, user.id))
  expect([401, 403], `as ${user.role}`).not.toContain(status)
  expect(status, `as ${user.role}`).toBeLessThan(500)
  // Its own things are found: else the 404 for another company's would prove nothing.
  if (idParams(named.call).length > 0) expect(status, `as ${user.role}`).not.toBe(404)
}

const secured = everyCall.filter(({ call }) => call.needs !== 'public')
const guarded = secured.filter(({ call }) => call.needs !== 'session' && call.needs !== 'admin')

test('there are calls of every kind of guard to be tested', () => {
  expect(everyCall.length).toBeGreaterThan(30)
  expect(new Set(everyCall.map(({ call }) => call.needs)).size).toBeGreaterThan(5)
})

test('every call of the contract is served', () => {
  const missing = everyCall.filter(
    ({ call }) => !t.app.hasRoute({ method: call.method, url: `/app/api/v1${call.path}` }),
  )
  expect(missing.map(({ name }) => name)).toEqual([])
})

test.each(everyCall.filter(({ call }) => call.needs === 'public'))('$name lets anyone in', async (named) => {
  expect([401, 403]).not.toContain(await ask(named, undefined, {}))
})

describe.each(secured)('$name', (named) => {
  test('is 401 without a token, and with one that nobody was given', async () => {
    expect(await ask(named, undefined, {})).toBe(401)
    expect(await ask(named, 'x'.repeat(43), {})).toBe(401)
  })

  test('is 404 for the ids of another company', async () => {
    const [mine, theirs] = [await buildUser(t), await buildCompany(t)]
    const [own, foreign] = [await idsOf(named, mine.companyId), await idsOf(named, theirs.companyId)]
    for (const { name } of idParams(named.call))
      expect(await ask(named, mine.token, { ...own, [name]: foreign[name] ?? '' }), name).toBe(404)
  })
})

/** Calls to which a sample that the contract accepts is let in, and refused by their own rule; a company has no logo of the sample's version. */
const ownRules: Partial<Record<string, ErrorCode>> = {
  'company.logo': 'NOT_FOUND',
  'security.prove': 'WRONG_PASSWORD',
  'security.confirmCodes': 'SECOND_FACTOR_OFF',
  'security.removeCodes': 'SECOND_FACTOR_OFF',
  'security.makeRecoveryCodes': 'SECOND_FACTOR_OFF',
  'security.addPasskey': 'PASSKEY_REFUSED',
}

describe.each(secured.filter(({ call }) => call.needs === 'session'))('$name', (named) => {
  test.each(['manager', 'staff'] as const)('lets in a %s with every permission off', async (role) => {
    const user = await person(role, [])
    const code = ownRules[named.name]
    const expected = { status: code ? errorStatus[code] : 200, code }
    expect(await answerOf(named, user.token, await idsOf(named, user.companyId, user.id))).toEqual(expected)
  })
})

describe.each(secured.filter(({ call }) => call.needs === 'admin'))('$name', (named) => {
  test('lets an Admin in, and nobody else however much they may', async () => {
    await isLetIn(named, await buildUser(t))
    expect(await ask(named, everything.manager.token, {})).toBe(403)
    expect(await ask(named, everything.staff.token, {})).toBe(403)
  })
})

describe.each(guarded)('$name', (named) => {
  const needed = named.call.needs as Permission
  const rest = permissions.filter((each) => each !== needed)

  test.each(['admin', 'manager', 'staff'] as const)('lets a %s in by its permission alone', async (role) => {
    await isLetIn(named, await person(role, [needed]))
  })

  test('is 403 for who has every other permission, or none', async () => {
    const allOthers = await roleHolders(rest)
    for (const user of [allOthers.manager, allOthers.staff, nothing.manager, nothing.staff])
      expect(await ask(named, user.token, {}), user.role).toBe(403)
  })
})

describe('of a company whose subscription has expired', () => {
  let expired: TestUser
  beforeAll(async () => {
    expired = await buildUser(t)
    await t.change(expired.companyId, 'update companies set subscription_until = $1', [t.clock.now()])
  })

  test.each(secured.filter(({ call }) => call.begins))('$name is refused', async (named) => {
    const ids = await idsOf(named, expired.companyId)
    expect(await answerOf(named, expired.token, ids)).toEqual({ status: 400, code: 'SUBSCRIPTION_EXPIRED' })
  })

  test.each(secured.filter(({ call }) => !call.begins))('$name goes on', async (named) => {
    // Some of these calls end the session that they are made with.
    const user = await buildUser(t, { company: expired })
    const { status, code } = await answerOf(named, user.token, await idsOf(named, expired.companyId, user.id))
    expect(code).not.toBe('SUBSCRIPTION_EXPIRED')
    expect([401, 403]).not.toContain(status)
    if (idParams(named.call).length > 0) expect(status).not.toBe(404)
  })
})

test('every call that adds something says what it begins, or is known to begin nothing', () => {
  const adding = secured.filter(({ call }) => call.method === 'POST' && call.needs.endsWith('.addOrEdit'))
  expect(adding.filter(({ call }) => !call.begins).map(({ name }) => name)).toEqual([
    'billing.checkPayment',
    'cards.add',
    'cards.check',
    'sandboxClock.wind',
    'sandboxClock.play',
    'users.inviteAgain',
    // Judges each row of its file: it changes devices that are there, too.
    'devices.setupBulk',
    'deviceLife.swap',
    'groups.addDevices',
    'records.sign',
    'records.addNote',
    'records.attach',
    'reports.run',
    'alarms.rotateWebhookKey',
    'alarms.test',
    'onCall.addOverride',
    'wallet.buy',
    'wallet.buyAny',
    'subscription.addLicence',
    'support.askToBuy',
    'plans.subscribe',
    'plans.change',
    'plans.resume',
    'plans.payRenewal',
    'plans.placeDevice',
    'plans.keepDevice',
    'shipments.milestone',
    'shipments.withdrawMilestone',
    'shipments.rollOver',
    'shipments.addDocument',
    'orders.validate',
    'coldTreatments.verifyGap',
    'orderLinks.rotateReceiverLink',
    'orderLinks.rotateDriverLink',
    'orderLinks.handOver',
    'epcis.read',
    'shipmentLinks.rotate',
  ])
})
