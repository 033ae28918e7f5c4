import type { Call } from '@isotherm/contract/call.ts'
import { z } from 'zod'
import { ownIds } from './ask-call.ts'
import { buildUser, type TestUser } from './factories.ts'
import type { Answer, TestApp } from './harness.ts'
import { resources } from './resources.ts'
import { everyCall, type NamedCall, pathOf, sampleOf } from './samples.ts'

/** A call that has something to do: by whom, on what and with what. */
export interface FittingCall {
  /** Left out: the Admin's, or that of a key of theirs. */
  token?: string
  ids: Record<string, string>
  body: object
}

export interface SceneTools {
  t: TestApp
  admin: TestUser
  companyId: number
  /** Those of the call's path, of the company's own. */
  ids: Record<string, string>
  /** A call of the Admin's that has to succeed; its payload. */
  // biome-ignore lint/suspicious/noExplicitAny: scenes look into answers of every shape
  own(method: Call['method'], path: string, body?: unknown, token?: string): Promise<any>
  /** An instant so many hours from now. */
  at(hours: number): string
}

/** How a call gets something to do: the parts that differ from a sample of what the company has; of an object the fields that differ. */
export type Scene = (given: SceneTools) => Promise<Partial<FittingCall>> | Partial<FittingCall>

/** The resource that a field of a body is an id of. */
const resourceOf: Record<string, string> = {
  ...{ deviceId: 'devices', deviceIds: 'devices', groupId: 'groups', groupIds: 'groups' },
  ...{ userId: 'users', userIds: 'users', people: 'users', ownerId: 'users' },
  ...{ driverId: 'drivers', vehicleId: 'vehicles', partnerId: 'partners', contactId: 'contacts' },
  ...{ originId: 'origins', destinationId: 'destinations', shipmentId: 'export/shipments' },
  recordId: 'enterprise/record',
}

/** A sample with the ids of things that the company has. */
async function withOwnIds(t: TestApp, companyId: number, value: unknown, name = ''): Promise<unknown> {
  const make = resources[resourceOf[name] ?? '']
  if (Array.isArray(value)) return Promise.all(value.map((one) => withOwnIds(t, companyId, one, name)))
  if (typeof value === 'string') return make ? String((await make(t, { companyId })).id) : value
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  const fields: [string, unknown][] = []
  for (const [key, one] of Object.entries(value)) fields.push([key, await withOwnIds(t, companyId, one, key)])
  return Object.fromEntries(fields)
}

/** The version of what a call changes, as the call says it that reads the same, or lists it; undefined where nobody has changed it. */
async function versionOf(
  { own }: SceneTools,
  { call }: NamedCall,
  ids: Record<string, string>,
): Promise<number | undefined> {
  const read = (path: string) => everyCall.find((other) => other.call.method === 'GET' && other.call.path === path)
  const one = read(call.path)
  const list = read(call.path.replace(/\/:id$/, ''))
  const payload = one ? await own('GET', pathOf(one.call, ids)) : list ? await own('GET', list.call.path) : {}
  const listed = [payload.data, payload.endpoints, payload].find(Array.isArray)
  const row = one ? payload : (listed?.find(({ id }: { id: string }) => id === ids.id) ?? {})
  return row.version ?? row.connection?.version ?? row.treatment?.version
}

const fieldsOf = ({ body }: Call): { fields: string[]; required: readonly string[] } => {
  const { properties = {}, required = [] } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })
  return { fields: Object.keys(properties), required }
}
/** Fields by which a change changes something, where it need not. */
const names = ['name', 'fullname', 'label', 'companyName']

/** Makes a call that does something: from a sample with what the company has, and from what its scene says. */
export async function fittingCall(
  t: TestApp,
  named: NamedCall,
  scene?: Scene,
): Promise<FittingCall & { admin: TestUser }> {
  const admin = await buildUser(t)
  const { companyId } = admin
  const ids = await ownIds(t, named, companyId, admin.id)
  const given: SceneTools = {
    ...{ t, admin, companyId, ids },
    at: (hours) => new Date(t.clock.now().getTime() + hours * 3_600_000).toISOString(),
    own: async (method, path, body, token = admin.token) =>
      payloadOf(await t.call(method, path, { token, ...(body !== undefined && { body }) }), `${method} ${path}`),
  }
  const special = (await scene?.(given)) ?? {}
  const all = { ...ids, ...special.ids }
  const { fields, required } = fieldsOf(named.call)
  const sample = (await withOwnIds(t, companyId, sampleOf(named.call.body, named.name))) as object
  const known = fields.includes('version') ? await versionOf(given, named, all) : undefined
  const version = known ?? (required.includes('version') ? 0 : undefined)
  const renamed = names.find((name) => fields.includes(name))
  const body = Array.isArray(special.body ?? sample)
    ? (special.body ?? sample)
    : {
        ...sample,
        ...(named.call.method === 'PATCH' && renamed && !special.body ? { [renamed]: 'Another name' } : {}),
        ...(version === undefined ? {} : { version }),
        ...special.body,
      }
  return { ...special, ids: all, body, admin }
}

function payloadOf({ status, body }: Answer, what: string) {
  if (status !== 200) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`)
  return body.payload
}
