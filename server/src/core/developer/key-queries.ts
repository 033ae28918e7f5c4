import { type Insertable, sql, type Updateable } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { ApiKeys } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/** A key with the name and language that it acts under, and what decides what its Admin may now. */
export interface KeyRow {
  id: string
  name: string
  locale: string
  hint: string
  permissions: unknown
  sees_private: boolean
  networks: string[]
  created_at: Date
  created_by_name: string
  expires_at: Date
  overlap_until: Date | null
  last_used_at: Date | null
  last_used_address: string | null
  revoked_at: Date | null
  revoked_by_name: string | null
  admin_id: string
  admin_name: string
  admin_role: string
  admin_is_here: boolean
  admin_matrix: unknown
  is_in_sandbox: boolean
}

const keySql = sql`select k.id::text, s.fullname as name, s.locale, k.hint, k.permissions, k.sees_private, k.networks, k.created_at,
    k.created_by_name, k.expires_at, k.overlap_until, k.last_used_at, k.last_used_address, k.revoked_at, k.revoked_by_name,
    k.admin_id::text, a.fullname as admin_name, a.role as admin_role, a.archived_at is null as admin_is_here, p.matrix as admin_matrix,
    c.is_sandbox as is_in_sandbox
  from api_keys k join users s on s.company_id = k.company_id and s.id = k.id
    join users a on a.company_id = k.company_id and a.id = k.admin_id
    join companies c on c.company_id = k.company_id
    left join role_permissions p on p.company_id = a.company_id and p.role = a.role`

export const findKeyRow = ({ tx, companyId }: TenantTx, id: string): Promise<KeyRow | undefined> =>
  firstRow<KeyRow>(tx)`${keySql} where k.company_id = ${companyId} and k.id = ${id}::int8`

/** The keys of a company, the good ones first, then the newest; of those that are over now, the last hundred. */
export const listKeyRows = ({ tx, companyId }: TenantTx, now: Date): Promise<KeyRow[]> =>
  allRows<KeyRow>(
    tx,
  )`${keySql} where k.company_id = ${companyId} order by k.revoked_at is not null or k.expires_at <= ${now}, k.id desc limit 120`

/** One change of the company's keys at a time: the next waits here, then sees what this one did. */
export const lockKeys = ({ tx, companyId }: TenantTx) =>
  sql`select from companies where company_id = ${companyId} for no key update`.execute(tx)

export const insertKey = (tx: Tx, key: Insertable<ApiKeys>) => tx.insertInto('api_keys').values(key).execute()

export const updateKey = ({ tx, companyId }: TenantTx, id: string, change: Updateable<ApiKeys>) =>
  tx.updateTable('api_keys').set(change).where('company_id', '=', companyId).where('id', '=', id).execute()

/** Notes the last use of keys: when, to the minute, and from where. As pipeline. */
export const noteUse = (tx: Tx, uses: readonly { companyId: number; keyId: string; at: Date; address: string }[]) =>
  sql`update api_keys k set last_used_at = u.at, last_used_address = u.address
    from unnest(${uses.map((use) => use.companyId)}::int4[], ${uses.map((use) => use.keyId)}::int8[],
      ${uses.map((use) => use.at)}::timestamptz[], ${uses.map((use) => use.address)}::text[]) as u (company_id, id, at, address)
    where k.company_id = u.company_id and k.id = u.id and coalesce(k.last_used_at < u.at, true)`.execute(tx)
