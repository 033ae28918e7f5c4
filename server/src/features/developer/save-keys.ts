import { type KeyInput, maxKeys } from '@isotherm/contract/developer.ts'
import { findCompany } from '../../core/company/company.ts'
import { refuseExpired } from '../../core/company/subscription.ts'
import { stateOf } from '../../core/developer/find-key.ts'
import {
  findKeyRow,
  insertKey,
  type KeyRow,
  listKeyRows,
  lockKeys,
  updateKey,
} from '../../core/developer/key-queries.ts'
import { insertUser, updateUser } from '../../core/people/users.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import { addSecret } from '../../platform/auth/api-key-secrets.ts'
import type { Context } from '../../platform/context.ts'
import { withLogin } from '../../platform/db/transaction.ts'
import { AppError, orNotFound } from '../../platform/errors/app-error.ts'
import { auditSnapshot, type SavedKey, target } from './present.ts'

const dayMs = 86_400_000
const usualDays = 365

/** So many of the last signs of a secret are shown for good. */
export const hintOf = (secret: string): string => secret.slice(-4)

const once = (list: readonly string[]) => [...new Set(list)]

/** When a key ends that is made or prolonged now; what it is told beforehand has no sense for a shorter life. */
const endIn = (now: Date, days: number) => ({
  ...{ expires_at: new Date(now.getTime() + days * dayMs), told_days: days <= 30 ? 30 : null },
})

export const loadKey = async (ctx: Context, id: string): Promise<KeyRow> => orNotFound(await findKeyRow(ctx, id))

/**
 * Makes the keys without an id, and changes or revokes the others; their rows, with the secrets of the new ones. Throws NOT_FOUND, LIMIT_REACHED or
 * SUBSCRIPTION_EXPIRED.
 */
export async function saveKeys(ctx: Context, input: readonly KeyInput[]): Promise<SavedKey[]> {
  await lockKeys(ctx)
  const saved: SavedKey[] = []
  for (const each of input) {
    if (each.id === undefined) saved.push(await makeKey(ctx, each))
    else if (each.state === 'revoked') saved.push({ row: await revoke(ctx, each.id) })
    else saved.push({ row: await changeKey(ctx, each.id, each) })
  }
  return saved
}

async function makeKey(
  ctx: Context,
  { name = '', permissions, networks = [], seesPrivate = false, expiresInDays }: KeyInput,
) {
  const { tx, companyId, clock, person } = ctx
  const now = clock.now()
  await refuseExpired(tx, companyId, now)
  await refuseFull(ctx, now)
  const { timezone, locale } = await findCompany(tx, companyId)
  const { id } = await insertUser(tx, {
    ...{ company_id: companyId, kind: 'key', fullname: name, email: '', role: 'staff', timezone, locale },
    ...{ status: 'active', archived_at: now, created_at: now },
  })
  const secret = await withLogin(tx, () => addSecret(tx, { companyId, keyId: id, now, othersEnd: now }))
  await insertKey(tx, {
    ...{
      company_id: companyId,
      id,
      hint: hintOf(secret),
      permissions: JSON.stringify(permissions),
      networks: once(networks),
    },
    ...{ sees_private: seesPrivate, admin_id: person.id, created_at: now, created_by_name: person.fullname },
    ...endIn(now, expiresInDays ?? usualDays),
  })
  const row = await loadKey(ctx, id)
  ctx.audit({ action: 'developer.keyMade', target: target(row), after: auditSnapshot(row) })
  return { row, secret }
}

/** Throws LIMIT_REACHED where the company has all the good keys that it may have. */
async function refuseFull(ctx: Context, now: Date): Promise<void> {
  const good = (await listKeyRows(ctx, now)).filter((row) => ['active', 'stopped'].includes(stateOf(row, now)))
  if (good.length >= maxKeys) throw new AppError('LIMIT_REACHED', { limit: maxKeys })
}

/** Changes a key that is not revoked; it depends on who changes it from now on. Throws NOT_FOUND, or LIMIT_REACHED for one that is to be good again. */
async function changeKey(ctx: Context, id: string, input: KeyInput): Promise<KeyRow> {
  const before = await loadKey(ctx, id)
  if (before.revoked_at) throw new AppError('NOT_FOUND')
  const { name, permissions, networks, seesPrivate, expiresInDays } = input
  if (expiresInDays && stateOf(before, ctx.clock.now()) === 'expired') await refuseFull(ctx, ctx.clock.now())
  if (name !== undefined) await updateUser(ctx.tx, ctx.companyId, id, { fullname: name })
  await updateKey(ctx, id, {
    admin_id: ctx.person.id,
    ...(permissions && { permissions: JSON.stringify(permissions) }),
    ...(networks && { networks: once(networks) }),
    ...(seesPrivate !== undefined && { sees_private: seesPrivate }),
    ...(expiresInDays && endIn(ctx.clock.now(), expiresInDays)),
  })
  const after = await loadKey(ctx, id)
  const changes = changesOf(auditSnapshot(before), auditSnapshot(after))
  ctx.audit({ action: 'developer.keyChanged', target: target(after), ...changes })
  return after
}

async function revoke(ctx: Context, id: string): Promise<KeyRow> {
  const before = await loadKey(ctx, id)
  if (before.revoked_at) return before
  await updateKey(ctx, id, { revoked_at: ctx.clock.now(), revoked_by_name: ctx.person.fullname })
  ctx.audit({ action: 'developer.keyRevoked', target: target(before) })
  return loadKey(ctx, id)
}

/** Ends a key with all its secrets, at once; one that is revoked already stays as it is. Throws NOT_FOUND. */
export async function revokeKey(ctx: Context, id: string): Promise<void> {
  await lockKeys(ctx)
  await revoke(ctx, id)
}
