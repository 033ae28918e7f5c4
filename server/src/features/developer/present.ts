import { type ApiKey, type KeyCall, RotatedKey } from '@isotherm/contract/developer.ts'
import { PermissionMatrix } from '@isotherm/contract/permissions.ts'
import { stateOf } from '../../core/developer/find-key.ts'
import type { KeyRow } from '../../core/developer/key-queries.ts'
import type { CallRow } from './call-queries.ts'

/** A row of a key, and its secret where it was made just now. */
export interface SavedKey {
  row: KeyRow
  secret?: string
}

export const presentKey = (row: KeyRow, now: Date): ApiKey => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  permissions: PermissionMatrix.parse(row.permissions),
  seesPrivate: row.sees_private,
  networks: row.networks,
  state: stateOf(row, now),
  admin: { id: row.admin_id, name: row.admin_name },
  createdAt: row.created_at.toISOString(),
  createdBy: row.created_by_name,
  expiresAt: row.expires_at.toISOString(),
  oldSecretUntil: row.overlap_until && row.overlap_until > now ? row.overlap_until.toISOString() : null,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  lastUsedAddress: row.last_used_address,
  revokedAt: row.revoked_at?.toISOString() ?? null,
  revokedBy: row.revoked_by_name,
})

export const presentRotated = ({ row, secret }: SavedKey, now: Date): RotatedKey =>
  RotatedKey.parse({ ...presentKey(row, now), secret })

export const presentCall = (row: CallRow): KeyCall => ({
  ...{
    id: row.id,
    keyId: row.key_id,
    keyName: row.key_name,
    at: row.at.toISOString(),
    method: row.method,
    path: row.path,
  },
  ...{
    status: row.status,
    code: row.code,
    ms: row.ms,
    address: row.address,
    requestId: row.request_id,
    times: row.times,
  },
})

/** How the audit trail names a key. */
export const target = ({ id, name }: KeyRow) => ({ kind: 'apiKey', id, name })

/** The facts of a key in the audit trail: never a secret. */
export const auditSnapshot = (row: KeyRow) => ({
  name: row.name,
  permissions: row.permissions,
  seesPrivate: row.sees_private,
  networks: row.networks,
  expiresAt: row.expires_at.toISOString(),
  admin: row.admin_name,
})
