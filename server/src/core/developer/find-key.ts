import { BlockList, isIP } from 'node:net'
import { allows, modules, PermissionMatrix, type Role } from '@isotherm/contract/permissions.ts'
import type { Caller } from '../../platform/auth/people.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { permissionsOf } from '../people/person.ts'
import { findKeyRow, type KeyRow } from './key-queries.ts'

/** How a key stands: `stopped`: the Admin whom it depends on was removed. */
export type KeyState = 'active' | 'stopped' | 'expired' | 'revoked'

export function stateOf(row: KeyRow, now: Date): KeyState {
  if (row.revoked_at) return 'revoked'
  if (row.expires_at <= now) return 'expired'
  return row.admin_is_here ? 'active' : 'stopped'
}

/** The rights of a key now: those that it was given, but for those that its Admin has no more. */
export function permissionsNow({ permissions, admin_role, admin_matrix }: KeyRow): PermissionMatrix {
  const given = PermissionMatrix.parse(permissions)
  const own = permissionsOf(admin_role as Role, admin_matrix)
  const both = (module: (typeof modules)[number]) => ({
    view: allows(given, `${module}.view`) && allows(own, `${module}.view`),
    addOrEdit: allows(given, `${module}.addOrEdit`) && allows(own, `${module}.addOrEdit`),
    export: allows(given, `${module}.export`) && allows(own, `${module}.export`),
  })
  return PermissionMatrix.parse(Object.fromEntries(modules.map((module) => [module, both(module)])))
}

export const seesPrivateNow = (row: KeyRow): boolean => row.sees_private && row.admin_role === 'admin'

/** A key as the person that it acts as. Its role gives nothing: whoever asks for rights asks for its permissions. */
const callerOf = (row: KeyRow, companyId: number): Caller => ({
  ...{ id: row.id, identityId: `key ${companyId} ${row.id}`, fullname: row.name, email: '', locale: row.locale },
  ...{
    role: 'staff',
    permissions: permissionsNow(row),
    key: { seesPrivate: seesPrivateNow(row), isInSandbox: row.is_in_sandbox },
  },
})

/** Whether an address lies in one of the networks, or there are none to lie in. */
export function isWithin(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  const family = isIP(bare)
  if (family === 0) return false
  const list = new BlockList()
  for (const network of networks) {
    const [net = '', bits] = network.split('/')
    list.addSubnet(net, Number(bits), isIP(net) === 6 ? 'ipv6' : 'ipv4')
  }
  return list.check(bare, family === 6 ? 'ipv6' : 'ipv4')
}

/** The key behind a call. In the tenant's transaction. Throws KEY_REVOKED, KEY_EXPIRED or KEY_WRONG_NETWORK. */
export async function findKey(
  tx: Tx,
  companyId: number,
  keyId: string,
  from: { now: Date; address: string },
): Promise<Caller> {
  const row = await findKeyRow({ tx, companyId }, keyId)
  const state = row && stateOf(row, from.now)
  if (state === 'expired') throw new AppError('KEY_EXPIRED')
  if (!row || state !== 'active') throw new AppError('KEY_REVOKED')
  if (!isWithin(row.networks, from.address)) throw new AppError('KEY_WRONG_NETWORK')
  return callerOf(row, companyId)
}

/** The key that asked for something which is done later; undefined once it is over. In the tenant's transaction. */
export async function findAskingKey(tx: Tx, companyId: number, keyId: string, now: Date): Promise<Caller | undefined> {
  const row = await findKeyRow({ tx, companyId }, keyId)
  return row && stateOf(row, now) === 'active' ? callerOf(row, companyId) : undefined
}
