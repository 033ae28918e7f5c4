import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { permissions } from '../../contract/src/permissions.ts'
import {
  buildCompany,
  buildUser,
  only,
  password,
  setMatrix,
  type TestUser,
  token,
} from '../../server/test/factories.ts'
import { formOf, formType } from '../../server/test/form.ts'
import type { TestApp } from '../../server/test/harness.ts'
import { resources } from '../../server/test/resources.ts'
import { buildHardware, buildKey } from '../../server/test/stock.ts'
import type { Canaries, Letter } from './canaries.ts'
import type { Answer, Client } from './client.ts'
import { scenario } from './scenario.ts'
import type { Step, Who } from './step.ts'

const minute = 60_000
export const roles = ['admin', 'manager', 'staff'] as const
export type Role = (typeof roles)[number]

/** One tenant as the requests meet it now. */
export interface Side {
  letter: Letter
  companyId: number
  people: Record<Role, TestUser>
  /** Bearer tokens by role; `ended` is of a session that is over. */
  tokens: Record<Role | 'ended', string>
  /** Values of the recording's names. */
  values: Record<string, string>
  /** Ids of what `resources` makes, by its name. */
  things: Record<string, string>
  /** The secrets of hardware by IMEI. */
  secrets: Map<string, string>
}

export interface World {
  number: number
  sides: Record<Letter, Side>
}

/** The tools that make worlds: factories write as the server's own code does, straight into its database and its folder. */
export interface Maker {
  test: TestApp
  client: Client
  canaries: Canaries
  /** May change rows of every tenant. */
  database: pg.Client
  hookUrl: string
}

/** The template with a tenant's names and values; ids may be of another tenant. */
export const filled = (template: string, letter: Letter, values: Record<string, string>): string =>
  template
    .replaceAll('@@', letter)
    .replace(/"«#(\w+)»"/g, (whole, name: string) => values[name] ?? whole)
    .replace(/«#?(\w+)»/g, (whole, name: string) => values[name] ?? whole)

const both = { a: 0, b: 1 } as const

/** The values that only one device of one tenant measures, and where. */
function measured(letter: Letter, world: number): Record<string, string> {
  const side = both[letter]
  const places = side === 0 ? [11.73519, 21.84627, -47.12345, 51.98712] : [-23.91357, 33.64281, -44.56789, 58.13579]
  const [openLat = 0, openLon = 0, hiddenLat = 0, hiddenLon = 0] = places
  const shifted = (degrees: number) => (degrees + (world % 90_000) * 0.001).toFixed(5)
  return {
    ...{ openC: side === 0 ? '5.17' : '6.29', openWarmC: side === 0 ? '13.17' : '14.29' },
    hiddenC: (-50.01 - side * 10 - (world % 900) * 0.01).toFixed(2),
    ...{ openLat: openLat.toFixed(5), openLon: openLon.toFixed(5) },
    ...{ hiddenLat: shifted(hiddenLat), hiddenLon: shifted(hiddenLon) },
  }
}

/** Two tenants that live for the whole run, with a person of each role that only listens. */
export async function makeTenants({ test, canaries }: Maker) {
  const everything = only(...permissions)
  const one = async (letter: Letter) => {
    const { companyId } = await buildCompany(test, { name: `canary-${letter}-company` })
    for (const role of ['manager', 'staff'] as const) await setMatrix(test, companyId, role, everything)
    for (const name of ['openC', 'openWarmC', 'openLat', 'openLon'])
      canaries.add(measured(letter, 0)[name] ?? '', letter)
    const listeners = await people(test, letter, companyId, 'listener')
    return { companyId, listeners }
  }
  return { a: await one('a'), b: await one('b') }
}

async function people(test: TestApp, letter: Letter, companyId: number, part: string) {
  const made = {} as Record<Role, TestUser>
  for (const role of roles)
    made[role] = await buildUser(test, {
      ...{ company: { companyId }, role, fullname: `canary-${letter}-${role}` },
      email: `canary-${letter}-${role}-${part}@example.test`,
    })
  return made
}

/** A new scene of both tenants: people, one of each resource, and the recording played to its end by real calls. */
export async function makeWorld(maker: Maker, number: number, companies: Record<Letter, number>): Promise<World> {
  const [a, b] = [await makeSide(maker, 'a', number, companies.a), await makeSide(maker, 'b', number, companies.b)]
  return { number, sides: { a, b } }
}

async function makeSide(maker: Maker, letter: Letter, number: number, companyId: number): Promise<Side> {
  const { test, canaries, database } = maker
  for (const role of ['manager', 'staff'] as const) await setMatrix(test, companyId, role, only(...permissions))
  const made = await people(test, letter, companyId, String(number))
  await forgetPrograms(database, companyId)
  const things: Record<string, string> = {}
  for (const [name, make] of Object.entries(resources)) things[name] = String((await make(test, { companyId })).id)
  await markNames(database, letter, companyId)
  const [open, hidden] = [await buildHardware(test), await buildHardware(test)]
  const values = measured(letter, number)
  for (const name of ['hiddenC', 'hiddenLat', 'hiddenLon']) canaries.add(values[name] ?? '', letter, number)
  canaries.add(hidden.imei, letter, number)
  canaries.add(open.imei, letter)
  const now = Date.now()
  const at = (minutes: number) => new Date(now - minutes * minute).toISOString()
  const tokens = { ended: await ended(maker, made.manager) } as Side['tokens']
  for (const role of roles) tokens[role] = made[role].token
  const side: Side = {
    ...{ letter, companyId, people: made, tokens, things },
    secrets: new Map([open, hidden].map(({ imei, secret }) => [imei, secret])),
    values: {
      ...values,
      ...{ n: String(number), imei: open.imei, code: open.code, hiddenImei: hidden.imei, hiddenCode: hidden.code },
      ...{
        licence: await buildKey(test, { devices: 20 }),
        nextLicence: await buildKey(test, { devices: 20 }),
        password,
        adminEmail: made.admin.email,
      },
      ...{
        admin: made.admin.id,
        manager: made.manager.id,
        staff: made.staff.id,
        wallet: things.wallet ?? '',
        rota: things.rotas ?? '',
      },
      hook: `${maker.hookUrl}/canary-${letter}-hook`,
      file: `canary-${letter}-contents`,
      ...{ from: at(8 * 60), to: at(0) },
      ...{ t5: at(75), t4: at(60), t3: at(45), t2: at(30), t1: at(15), t0: at(1), tomorrow: at(-24 * 60) },
    },
  }
  await play(maker.client, side)
  await markNames(database, letter, companyId)
  await noteHardware(maker, letter, companyId)
  return side
}

/** A session that was signed out. */
async function ended({ test, client }: Maker, user: TestUser): Promise<string> {
  const gone = await token(test, user)
  const headers = { authorization: `Bearer ${gone}`, 'content-type': 'application/json' }
  await client.send({ method: 'POST', path: '/app/api/v1/auth/logout', headers, body: '{}' })
  return gone
}

async function play(client: Client, side: Side) {
  for (const step of scenario) {
    const answer = await playStep(client, side, step)
    if (step.save) for (const [name, value] of Object.entries(step.save(answer))) side.values[name] = String(value)
  }
}

async function playStep(client: Client, side: Side, step: Step) {
  const expected = step.status ?? 200
  for (let tries = 0; ; tries++) {
    const answer = await client.send(requestOf(side, step, step.who))
    const text = answer.body.toString()
    if (answer.status !== expected)
      throw new Error(
        `the recording: ${step.method} ${step.path} as ${step.who}: ${answer.status} ${text.slice(0, 600)}`,
      )
    const payload = isJson(answer) ? JSON.parse(text).payload : undefined
    if (!step.until || step.until(payload)) return payload
    if (tries > 600) throw new Error(`the recording: ${step.method} ${step.path} was never done: ${text.slice(0, 600)}`)
    await sleep(100)
  }
}

const isJson = ({ headers }: Answer) => String(headers['content-type']).startsWith('application/json')

/** The values of the recording's names where `who` sends it: what an Admin names can be told from what others name. */
export function valuesFor({ letter, values }: Side, who: string): Record<string, string> {
  const rank = who === 'admin' ? 9 : 1
  return { ...values, role: who, phone: `+2348${both[letter]}${rank}${(values.n ?? '').padStart(7, '0')}` }
}

/** Whether a mail, SMS or webhook to this address may tell of private devices. */
export const isAdmins = (address: string): boolean =>
  /canary-[ab]-admin-|-hook\/(?:admin|audit)|^\+2348[01]9/.test(address)

/** A body, filled in, as its call takes it. */
export const bodyOf = ({ isForm }: Step, json: string): string | Buffer => (isForm ? formOf(JSON.parse(json)) : json)

/** The recorded request as its tenant sends it, with nothing changed. */
export function requestOf(side: Side, step: Step, who: Who) {
  const values = valuesFor(side, who)
  const path = filled(step.path, side.letter, values)
  const type = step.isForm ? formType : 'application/json'
  const headers: Record<string, string> = step.body === undefined ? {} : { 'content-type': type }
  const bearer =
    who === 'device'
      ? side.secrets.get(path.split('/')[2] ?? '')
      : who === 'key'
        ? values.keySecret
        : who !== 'nobody' && side.tokens[who]
  if (bearer) headers.authorization = `Bearer ${bearer}`
  const body =
    step.body === undefined ? undefined : bodyOf(step, filled(JSON.stringify(step.body), side.letter, values))
  return { method: step.method, path: `/app/api/v1${path}`, headers, body }
}

// Factories name a device "Device 7"; a canary has to say whose it is.
const named: [string, string][] = [
  ...['devices', 'groups', 'alarms', 'geofences', 'points_of_interest', 'records', 'reports'].map(
    (table): [string, string] => [table, 'name'],
  ),
  ['users', 'fullname'],
  ['record_notes', 'text'],
  ['device_sessions', 'name'],
]

async function markNames(database: pg.Client, letter: Letter, companyId: number) {
  await database.query(`begin; set local role app; set local app.company_id = '${companyId}'`)
  for (const [table, column] of named)
    await database.query(
      `update ${table} set ${column} = 'canary-${letter}-' || id || ' ' || left(${column}, 40) where ${column} not ilike '%canary%'`,
    )
  await database.query('update wallets set balance = 1000000')
  await database.query('commit')
}

/** A company has a few keys, endpoints and domains only: those of the world before are over. */
async function forgetPrograms(database: pg.Client, companyId: number) {
  await database.query(`begin; set local role app; set local app.company_id = '${companyId}'`)
  await database.query('update api_keys set revoked_at = now() where revoked_at is null')
  await database.query('update webhook_endpoints set archived_at = now() where archived_at is null')
  await database.query('delete from sso_domains')
  await database.query('commit')
}

async function noteHardware({ database, canaries }: Maker, letter: Letter, companyId: number) {
  const { rows } = await database.query<{ imei: string }>(
    `select distinct a.imei from assignments a join devices d on d.company_id = a.company_id and d.id = a.device_id
     where a.company_id = $1 and d.visibility = 'public'`,
    [companyId],
  )
  for (const { imei } of rows) canaries.add(imei, letter)
}
