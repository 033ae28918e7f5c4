import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { locksOfCompany } from '../../platform/db/advisory-locks.ts'
import { firstRow } from '../../platform/db/rows.ts'
import type { Tx } from '../../platform/db/transaction.ts'

interface Ends {
  until: Date | null
  trial: Date | null
  owed: boolean
}

/**
 * When the subscription of a company `c` ends, and its trial: with the last of its licences, or of the time that its devices brought
 * along from one licence to another. Without any it was over from the beginning. And whether the next period of a plan is not paid.
 */
const endsOf: RawBuilder<Ends> = sql`select
  greatest(c.created_at,
    (select max(l.expires_at) from licences l where l.company_id = c.company_id),
    (select max(d.licence_until) from devices d where d.company_id = c.company_id and d.decommissioned_at is null)) as until,
  (select l.expires_at from licences l where l.company_id = c.company_id and l.source = 'trial') as trial,
  exists (select from subscriptions s where s.company_id = c.company_id and s.state = 'past_due') as owed`
const noEnds: RawBuilder<Ends> = sql`select null::timestamptz as until, null::timestamptz as trial, false as owed`

const differs = sql`(c.subscription_until, c.trial_until, c.subscription_owed) is distinct from (e.until, e.trial, e.owed)`

/** Locked first: of two that change licences at once the second sees what the first did. */
export async function updateEnds({ tx, companyId }: TenantTx, isSold: boolean): Promise<void> {
  await sql`select from companies where company_id = ${companyId} for no key update`.execute(tx)
  await sql`update companies set subscription_until = e.until, trial_until = e.trial, subscription_owed = e.owed
    from (select e.* from companies c, lateral (${isSold ? endsOf : noEnds}) e where c.company_id = ${companyId}) e
    where company_id = ${companyId}`.execute(tx)
}

/** The companies whose ends are not what they should be, and, where there are trials, those that had none. As pipeline. */
export async function companiesToSettle(tx: Tx, isSold: boolean, hasTrials: boolean): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select c.company_id as id
    from companies c, lateral (${isSold ? endsOf : noEnds}) e
    where ${differs} or (${hasTrials} and not exists (
      select from licences l where l.company_id = c.company_id and l.source = 'trial'))
    order by 1`.execute(tx)
  return rows.map(({ id }) => id)
}

/** One at a time of a company adds to what plans limit. */
export const lockPlan = ({ tx, companyId }: TenantTx) =>
  sql`select pg_advisory_xact_lock(${locksOfCompany.plan}::int4, ${companyId}::int4)`.execute(tx)

export interface PlanLimits {
  /** Licences that are not over, those that have not begun included. */
  licences: number
  devices: number
  users: number | null
  emails: number | null
  phones: number | null
}

// One licence without a limit lifts the limit.
const sumOf = (column: string) =>
  sql.raw(`case when bool_or(${column} is null) then null else sum(${column}) end::int as ${column}`)

/** The numbers that the company's licences allow together; null: no limit. */
export async function limitsOf({ tx, companyId }: TenantTx, now: Date): Promise<PlanLimits> {
  const row = await firstRow<PlanLimits>(tx)`
    select count(*)::int as licences, coalesce(sum(devices), 0)::int as devices,
      ${sumOf('users')}, ${sumOf('emails')}, ${sumOf('phones')}
    from licences where company_id = ${companyId} and expires_at > ${now}`
  return row ?? { licences: 0, devices: 0, users: null, emails: null, phones: null }
}

/** The modules that the company's licences have together; null: all, as under a licence without a plan, and where none runs: then nobody knows. */
export async function modulesOf({ tx, companyId }: TenantTx, now: Date): Promise<ReadonlySet<string> | null> {
  const rows = await tx
    .selectFrom('licences')
    .select('modules')
    .where('company_id', '=', companyId)
    .where('expires_at', '>', now)
    .execute()
  if (rows.length === 0 || rows.some(({ modules }) => modules === null)) return null
  return new Set(rows.flatMap(({ modules }) => modules ?? []))
}

const retentionShrinksAfterMs = 90 * 86_400_000

/**
 * For how many months the company's readings are to be kept: the longest of its licences, of those that have ended within 90 days
 * too. Null: for ever, as under a licence without a plan, and where there is none left, so that nothing is deleted because somebody has
 * not paid.
 */
export async function retentionOf({ tx, companyId }: TenantTx, now: Date): Promise<number | null> {
  const endedAfter = new Date(now.getTime() - retentionShrinksAfterMs)
  const row = await firstRow<{ months: number | null }>(tx)`
    select case when bool_or(retention_months is null) then null else max(retention_months) end as months
    from licences where company_id = ${companyId} and expires_at > ${endedAfter}`
  return row?.months ?? null
}

export interface PlanUse {
  devices: number
  users: number
  emails: number
  phones: number
}

/**
 * How much the company has of each thing that plans limit. Devices are places that are taken of licences that are not over. Recipients are the
 * distinct addresses and numbers that alarms, their escalations and rotas, scheduled reports and news of orders are sent to.
 */
export async function useOf({ tx, companyId }: TenantTx, now: Date): Promise<PlanUse> {
  const row = await firstRow<PlanUse>(tx)`
    with named as (
      select r.address, r.channels, coalesce(r.user_id, q.user_id) as user_id
      from alarm_recipients r
      join alarms a on a.company_id = r.company_id and a.id = r.alarm_id and a.archived_at is null
      left join rotas o on o.company_id = r.company_id and o.id = r.rota_id and o.archived_at is null
      left join rota_people q on q.company_id = o.company_id and q.rota_id = o.id
      where r.company_id = ${companyId}
      union all
      select r.address, array['mail'], r.user_id
      from report_recipients r
      join reports p on p.company_id = r.company_id and p.id = r.report_id and p.archived_at is null
      where r.company_id = ${companyId}
      union all
      select null, r.channels, coalesce(r.user_id, q.user_id)
      from order_recipients r
      left join rotas o on o.company_id = r.company_id and o.id = r.rota_id and o.archived_at is null
      left join rota_people q on q.company_id = o.company_id and q.rota_id = o.id
      where r.company_id = ${companyId}),
    told as (
      select n.channels, coalesce(n.address, u.email) as email, coalesce(n.address, u.phone) as phone
      from named n
      left join users u on u.company_id = ${companyId} and u.id = n.user_id and u.archived_at is null)
    select
      (select count(*) from licence_uses u
        join licences l on l.company_id = u.company_id and l.id = u.licence_id and l.expires_at > ${now}
        where u.company_id = ${companyId})::int as devices,
      (select count(*) from users where company_id = ${companyId} and archived_at is null)::int as users,
      (select count(distinct lower(email)) from told where 'mail' = any(channels))::int as emails,
      (select count(distinct phone) from told where channels && array['sms', 'chat'])::int as phones`
  return row ?? { devices: 0, users: 0, emails: 0, phones: 0 }
}
