import {
  type NewOrderRecipient,
  type OrderList,
  type OrderRecipient,
  type OrderRecipients,
  orderLists,
} from '@isotherm/contract/dispatch-settings.ts'
import { sql } from 'kysely'
import { seesOrdersText } from '../../core/alarms/recipient-sql.ts'
import { hearerAt, type RotaPlan, rotaPlanText } from '../../core/alarms/rota-sql.ts'
import type { TenantTx } from '../../platform/context.ts'
import { allRows } from '../../platform/db/rows.ts'

export type ShownLists = Record<OrderList, OrderRecipient[]>

export const tiers = { recipients: 1, escalation: 2 } as const
export type RecipientTier = keyof typeof tiers

type Row = Omit<OrderRecipient, 'onCall'> & { kind: OrderList; tier: number; plan: RotaPlan | null }

/** The people and rotas that hear of orders, by tier and list; without those who were removed. */
export async function orderRecipients(
  { tx, companyId }: TenantTx,
  now: Date,
): Promise<Record<RecipientTier, ShownLists>> {
  const rows = await allRows<Row>(tx)`
    select r.kind, r.tier, u.id as "userId", o.id as "rotaId", coalesce(u.fullname, o.name) as name, r.channels,
      case when u.id is not null and u.phone is null
        then array(select c from unnest(r.channels) c where c in ('sms', 'chat')) else '{}' end as unreachable,
      o.id is not null or ${sql.raw(seesOrdersText)} as "mayView",
      case when o.id is not null then ${sql.raw(rotaPlanText)} end as plan
    from order_recipients r
    join companies c on c.company_id = r.company_id
    left join users u on u.company_id = r.company_id and u.id = r.user_id and u.archived_at is null
    left join role_permissions p on p.company_id = u.company_id and p.role = u.role and u.role <> 'admin'
    left join rotas o on o.company_id = r.company_id and o.id = r.rota_id and o.archived_at is null
    where r.company_id = ${companyId} and num_nonnulls(u.id, o.id) = 1
    order by o.id is not null, lower(coalesce(u.fullname, o.name)), u.id, o.id`
  const of = (tier: RecipientTier, list: OrderList) =>
    rows.flatMap(({ kind, tier: stored, plan, ...one }) =>
      kind === list && stored === tiers[tier]
        ? [{ ...one, onCall: (plan && hearerAt(plan, now, false, 'orders')?.name) ?? null }]
        : [],
    )
  const lists = (tier: RecipientTier) => ({ late: of(tier, 'late'), outOfRange: of(tier, 'outOfRange') })
  return { recipients: lists('recipients'), escalation: lists('escalation') }
}

/** Replaces the lists of a tier. One that is named twice gets one message by each channel. */
export async function replaceOrderRecipients(
  { tx, companyId }: TenantTx,
  name: RecipientTier,
  lists: OrderRecipients,
): Promise<void> {
  const tier = tiers[name]
  const rows = orderLists.flatMap((kind) =>
    [...Map.groupBy(lists[kind].map(rowOf), ({ user_id, rota_id }) => `${user_id} ${rota_id}`).values()].flatMap(
      ([first, ...same]) =>
        first ? [{ ...first, kind, channels: [...new Set([first, ...same].flatMap(({ channels }) => channels))] }] : [],
    ),
  )
  await sql`delete from order_recipients where company_id = ${companyId} and tier = ${tier}::int2`.execute(tx)
  await sql`
    insert into order_recipients (company_id, tier, kind, user_id, rota_id, channels)
    select ${companyId}::int4, ${tier}::int2, x.kind, x.user_id, x.rota_id, x.channels
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (kind text, user_id int8, rota_id int8, channels text[])`.execute(
    tx,
  )
}

const rowOf = (recipient: NewOrderRecipient) =>
  'userId' in recipient
    ? { user_id: recipient.userId, rota_id: null, channels: recipient.channels }
    : { user_id: null, rota_id: recipient.rotaId, channels: recipient.channels }
