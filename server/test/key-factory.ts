import type { KeyInput } from '@isotherm/contract/developer.ts'
import { permissions as every, neverOfKeys, type Permission } from '@isotherm/contract/permissions.ts'
import { buildUser, only, type TestUser } from './factories.ts'
import type { TestApp } from './harness.ts'

export interface TestKey {
  id: string
  companyId: number
  /** Its bearer token. */
  secret: string
  admin: TestUser
}

interface KeySpec extends Pick<KeyInput, 'name' | 'networks' | 'seesPrivate' | 'expiresInDays'> {
  /** Left out: all. */
  permissions?: readonly Permission[]
  /** The Admin who makes it; left out: another one of the company. */
  admin?: TestUser
}

/** An API key, made as Admins make them. */
export async function aKey(test: TestApp, company: { companyId: number }, given: KeySpec = {}): Promise<TestKey> {
  const { permissions, admin: known, name = 'Warehouse', ...rest } = given
  const admin = known ?? (await buildUser(test, { company }))
  const body = { keys: [{ name, permissions: only(...every.filter((each) => each !== neverOfKeys)), ...rest }] }
  // A company that has expired made its keys before that.
  const setUntil = 'update companies set subscription_until = $1'
  const ofCompany = 'select subscription_until as until from companies where company_id = $1'
  const until = (await test.rows<{ until: Date | null }>(ofCompany, [admin.companyId]))[0]?.until ?? null
  if (until) await test.change(admin.companyId, setUntil, [null])
  const { status, body: answer } = await test.call('PUT', '/enterprise/developer', { token: admin.token, body })
  if (until) await test.change(admin.companyId, setUntil, [until])
  if (status !== 200) throw new Error(`no key was made: ${status} ${JSON.stringify(answer)}`)
  const { id, secret } = answer.payload.keys.find((key: { secret?: string }) => key.secret)
  // One permission alone, as tests of guards need it, nobody could tick.
  const change = 'update api_keys set permissions = $1 where id = $2'
  if (permissions) await test.change(admin.companyId, change, [JSON.stringify(only(...permissions)), id])
  return { id, secret, admin, companyId: admin.companyId }
}
