import type { BulkKindName, BulkUpload, DateOrder } from '@isotherm/contract/bulk-uploads.ts'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { KeptFault, KeptPreview } from '../../core/bulk/bulk-rules.ts'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, countRows, firstRow } from '../../platform/db/rows.ts'
import type { BulkUploads } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type UploadRow = Omit<
  Selectable<BulkUploads>,
  'errors' | 'source' | 'preview' | 'kind' | 'state' | 'date_order'
> & {
  kind: BulkKindName
  state: BulkUpload['state']
  date_order: DateOrder
  errors: KeptFault[]
  source: BulkUpload['source']
  /** Those of before this was told have no warnings. */
  preview: (NonNullable<BulkUpload['preview']> & Partial<KeptPreview>) | null
}

/** Stores an upload; undefined where one of the company is on its way. */
export const insertUpload = async (
  { tx, companyId }: TenantTx,
  values: Omit<Insertable<BulkUploads>, 'company_id'>,
): Promise<UploadRow | undefined> =>
  (await tx
    .insertInto('bulk_uploads')
    .values({ ...values, company_id: companyId })
    .onConflict((on) => on.column('company_id').where(sql<boolean>`state in ('waiting', 'working')`).doNothing())
    .returningAll()
    .executeTakeFirst()) as UploadRow | undefined

/** Gives up what has been silent since an instant: its job is gone. */
export const giveUpSilent = ({ tx, companyId }: TenantTx, since: Date, now: Date) =>
  sql`update bulk_uploads set state = 'failed', settled_at = ${now}
    where company_id = ${companyId} and state in ('waiting', 'working') and touched_at < ${since}`.execute(tx)

export const findUpload = (
  { tx, companyId }: TenantTx,
  kind: BulkKindName,
  id: string,
): Promise<UploadRow | undefined> =>
  firstRow<UploadRow>(tx)`
    select * from bulk_uploads where company_id = ${companyId} and kind = ${kind} and id = ${id}::int8`

export const countSince = ({ tx, companyId }: TenantTx, since: Date): Promise<number> =>
  countRows(tx)`
    select count(*)::int as n from bulk_uploads where company_id = ${companyId} and created_at > ${since}`

/** When the rows of the same file were added last, other than by this upload. */
export const storedBefore = async (
  { tx, companyId }: TenantTx,
  { kind, sha256, id }: { kind: BulkKindName; sha256: Buffer; id: string },
): Promise<Date | null> =>
  (
    await firstRow<{ at: Date | null }>(tx)`
      select max(settled_at) as at from bulk_uploads where company_id = ${companyId} and kind = ${kind}
        and sha256 = ${sha256} and state = 'stored' and id <> ${id}::int8`
  )?.at ?? null

/** Takes up an upload that is on its way, for the next attempt; undefined where it is settled. */
export const beginUpload = ({ tx, companyId }: TenantTx, id: string, now: Date): Promise<UploadRow | undefined> =>
  firstRow<UploadRow>(tx)`
    update bulk_uploads set state = 'working', progress = 0, attempts = attempts + 1, touched_at = ${now}
    where company_id = ${companyId} and id = ${id}::int8 and state in ('waiting', 'working') returning *`

/** Tells how far an attempt is. */
export const noteProgress = (
  { tx, companyId }: TenantTx,
  { id, attempts }: Pick<UploadRow, 'id' | 'attempts'>,
  progress: number,
  now: Date,
) =>
  sql`update bulk_uploads set progress = ${progress}, touched_at = ${now}
    where company_id = ${companyId} and id = ${id}::int8 and attempts = ${attempts} and state = 'working'`.execute(tx)

/** Settles an attempt, or gives it back for the next one; false where the upload was given up meanwhile. */
export async function settleUpload(
  { tx, companyId }: TenantTx,
  { id, attempts }: Pick<UploadRow, 'id' | 'attempts'>,
  values: Updateable<BulkUploads>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('bulk_uploads')
    .set(values)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'working')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export interface OldUpload {
  company_id: number
  id: string
  file_key: string | null
  marked_key: string | null
}

/** Uploads from before an instant that still have files, faults or a preview; `tx` of role `pipeline`. */
export const uploadsBefore = (tx: Tx, before: Date, most: number): Promise<OldUpload[]> =>
  allRows<OldUpload>(tx)`
    select company_id, id, file_key, marked_key from bulk_uploads
    where (file_key is not null or marked_key is not null or errors <> '[]' or preview is not null) and created_at < ${before}
    order by created_at limit ${most}`

/** Forgets what an upload had besides its hash and its count; `tx` of role `pipeline`. */
export const forgetContent = (tx: Tx, { company_id, id }: OldUpload) =>
  sql`update bulk_uploads set file_key = null, marked_key = null, errors = '[]', preview = null
    where company_id = ${company_id} and id = ${id}::int8`.execute(tx)
