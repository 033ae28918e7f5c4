import type { NewRota } from '@isotherm/contract/on-call.ts'
import { sql } from 'kysely'
import { type RotaPlan, rotaPlanText } from '../../core/alarms/rota-sql.ts'
import type { TenantTx } from '../../platform/context.ts'
import { locksOfCompany } from '../../platform/db/advisory-locks.ts'
import { allRows, countRows, firstRow } from '../../platform/db/rows.ts'

export interface RotaRow {
  id: string
  version: number
  plan: RotaPlan
}

const rotasSql = ({ companyId }: TenantTx) => sql`select o.id, o.version, ${sql.raw(rotaPlanText)} as plan
  from rotas o join companies c on c.company_id = o.company_id
  where o.company_id = ${companyId} and o.archived_at is null`

/** The rotas, by name. */
export const listRotas = (ctx: TenantTx): Promise<RotaRow[]> =>
  allRows<RotaRow>(ctx.tx)`${rotasSql(ctx)} order by lower(o.name), o.id`

export const findRota = (ctx: TenantTx, id: string): Promise<RotaRow | undefined> =>
  firstRow<RotaRow>(ctx.tx)`${rotasSql(ctx)} and o.id = ${id}::int8`

/** Holds the rotas of a company against others who change them until the transaction ends. */
export const lockRotas = ({ tx, companyId }: TenantTx) =>
  sql`select pg_advisory_xact_lock(${locksOfCompany.rotas}::int4, ${companyId}::int4)`.execute(tx)

export const isNameTaken = async ({ tx, companyId }: TenantTx, name: string, but: string | undefined) =>
  (await countRows(tx)`select count(*)::int as n from rotas where company_id = ${companyId} and archived_at is null
    and lower(name) = lower(${name}) and id is distinct from ${but ?? null}::int8`) > 0

export async function insertRota({ tx, companyId }: TenantTx, rota: NewRota, now: Date): Promise<string> {
  const { name, weekday, time, startsOn } = rota
  const values = { company_id: companyId, name, weekday, time, starts_on: startsOn, created_at: now }
  const { id } = await tx.insertInto('rotas').values(values).returning('id').executeTakeFirstOrThrow()
  await insertPeople({ tx, companyId }, id, rota.people)
  return id
}

export async function updateRota({ tx, companyId }: TenantTx, id: string, rota: NewRota): Promise<void> {
  const { name, weekday, time, startsOn } = rota
  await tx
    .updateTable('rotas')
    .set({ name, weekday, time, starts_on: startsOn, version: sql`version + 1` })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('rota_people').where('company_id', '=', companyId).where('rota_id', '=', id).execute()
  await insertPeople({ tx, companyId }, id, rota.people)
}

const insertPeople = ({ tx, companyId }: TenantTx, id: string, people: readonly string[]) =>
  tx
    .insertInto('rota_people')
    .values(people.map((userId, index) => ({ company_id: companyId, rota_id: id, place: index, user_id: userId })))
    .execute()

export const archiveRota = ({ tx, companyId }: TenantTx, id: string, now: Date) =>
  tx.updateTable('rotas').set({ archived_at: now }).where('company_id', '=', companyId).where('id', '=', id).execute()
