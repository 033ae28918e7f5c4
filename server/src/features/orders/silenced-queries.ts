import { orderLists, type SilencedList, type SilencedListsQuery } from '@isotherm/contract/dispatch-settings.ts'
import { sql } from 'kysely'
import { seesOrdersText } from '../../core/alarms/recipient-sql.ts'
import type { TenantTx } from '../../platform/context.ts'
import { otherThan } from '../../platform/db/other-than.ts'
import { allRows } from '../../platform/db/rows.ts'
import { type RecipientTier, tiers } from './recipient-queries.ts'

/** The people of a list `x` who hear of orders, by themselves or in a rota; an override does not count, because it ends. */
const reached = (but: Partial<Record<'user' | 'rota', string>>) => sql`select from order_recipients r
  left join rotas o on o.company_id = r.company_id and o.id = r.rota_id and o.archived_at is null
  left join rota_people q on q.company_id = o.company_id and q.rota_id = o.id
  join users u on u.company_id = r.company_id and u.id = case when r.user_id is null then q.user_id else r.user_id end
  left join role_permissions p on p.company_id = u.company_id and p.role = u.role and u.role <> 'admin'
  where r.company_id = x.company_id and r.kind = x.kind and r.tier = x.tier and ${sql.raw(seesOrdersText)}
    and ${otherThan(sql`u.id`, but.user)} and ${otherThan(sql`r.rota_id`, but.rota)}`

/** The lists that reach somebody, and would reach nobody without a person or a rota: those of the first recipients first. */
export async function silencedLists(
  { tx, companyId }: TenantTx,
  { without, id }: SilencedListsQuery,
): Promise<SilencedList[]> {
  const rows = await allRows<{ kind: SilencedList['list']; tier: number }>(tx)`
    select distinct x.kind, x.tier from order_recipients x
    where x.company_id = ${companyId} and exists (${reached({})}) and not exists (${reached({ [without]: id })})`
  const lost = (tier: RecipientTier, list: SilencedList['list']) =>
    rows.some((row) => row.kind === list && row.tier === tiers[tier])
  return (['recipients', 'escalation'] as const).flatMap((tier) =>
    orderLists.flatMap((list) => (lost(tier, list) ? [{ tier, list }] : [])),
  )
}
