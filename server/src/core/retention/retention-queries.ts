import type { Retention } from '../../domain/retention.ts'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/** Companies whose plan may end the keeping of readings, and those of which something is announced or in force. As pipeline. */
export async function companiesWithRetention(tx: Tx): Promise<number[]> {
  const rows = await allRows<{ id: number }>(tx)`
    select company_id as id from licences where retention_months is not null
    union select company_id from retention_shrinks order by 1`
  return rows.map(({ id }) => id)
}

export async function findRetention({ tx, companyId }: TenantTx): Promise<Retention> {
  const row = await tx
    .selectFrom('retention_shrinks')
    .selectAll()
    .where('company_id', '=', companyId)
    .executeTakeFirst()
  const { next_months: months, announced_at: announcedAt, told_again_at: toldAgainAt = null, next_at: at } = row ?? {}
  return {
    months: row?.months ?? null,
    next: months && announcedAt && at ? { months, announcedAt, toldAgainAt, at } : null,
  }
}

/** Whether a company has a reading from before an instant, samples aside. */
export async function hasReadingsBefore({ tx, companyId }: TenantTx, at: Date): Promise<boolean> {
  const row = await firstRow<{ has: boolean }>(tx)`
    select exists (select from devices d cross join lateral (
        select from readings r where r.company_id = d.company_id and r.device_id = d.id and r.measured_at < ${at} limit 1) r
      where d.company_id = ${companyId} and d.sample_until is null) as has`
  return row?.has ?? false
}

/** Keeps what is announced; false where somebody else did so first. */
export async function announceRetention(
  { tx, companyId }: TenantTx,
  { months, at, now }: { months: number; at: Date; now: Date },
): Promise<boolean> {
  const announced = { next_months: months, announced_at: now, told_again_at: null, next_at: at }
  const kept = await tx
    .insertInto('retention_shrinks')
    .values({ company_id: companyId, ...announced })
    .onConflict((conflict) =>
      conflict
        .column('company_id')
        .doUpdateSet(announced)
        .where('retention_shrinks.next_months', 'is distinct from', months),
    )
    .returning('company_id')
    .executeTakeFirst()
  return kept !== undefined
}

/** Keeps that it was said again, and from when on it holds; false where it was said before. */
export async function noteToldAgain({ tx, companyId }: TenantTx, at: Date, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('retention_shrinks')
    .set({ told_again_at: now, next_at: at })
    .where('company_id', '=', companyId)
    .where('next_months', 'is not', null)
    .where('told_again_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Forgets what was announced; false where nothing was. */
export async function withdrawRetention({ tx, companyId }: TenantTx): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('retention_shrinks')
    .set({ next_months: null, announced_at: null, told_again_at: null, next_at: null })
    .where('company_id', '=', companyId)
    .where('next_months', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Sets for how many months readings stay, and up to when they may go. As pipeline. */
export const setRetention = ({ tx, companyId }: TenantTx, months: number, cutAt: Date) =>
  tx
    .updateTable('retention_shrinks')
    .set({ months, cut_at: cutAt, next_months: null, announced_at: null, told_again_at: null, next_at: null })
    .where('company_id', '=', companyId)
    .execute()

/** Nothing may go any more, from this moment on. As pipeline. */
export const stopRetention = ({ tx, companyId }: TenantTx) =>
  tx.updateTable('retention_shrinks').set({ months: null, cut_at: null }).where('company_id', '=', companyId).execute()

/** Moves on up to when readings may go, and locks that; undefined where nothing is in force. As pipeline. */
export async function moveCut({ tx, companyId }: TenantTx, cutOf: (months: number) => Date): Promise<Date | undefined> {
  const row = await tx
    .selectFrom('retention_shrinks')
    .select('months')
    .where('company_id', '=', companyId)
    .forUpdate()
    .executeTakeFirst()
  if (!row?.months) return undefined
  const cutAt = cutOf(row.months)
  await tx.updateTable('retention_shrinks').set({ cut_at: cutAt }).where('company_id', '=', companyId).execute()
  return cutAt
}

export interface OldDevice {
  id: number
  name: string
}

/** The devices of a company with readings from before an instant, samples aside. As pipeline. */
export const devicesWithReadingsBefore = ({ tx, companyId }: TenantTx, at: Date): Promise<OldDevice[]> =>
  allRows<OldDevice>(tx)`
    select d.id, d.name from devices d cross join lateral (
      select from readings r where r.company_id = d.company_id and r.device_id = d.id and r.measured_at < ${at} limit 1) r
    where d.company_id = ${companyId} and d.sample_until is null order by d.id`
