import type { Locale } from '@isotherm/contract/common.ts'
import type { ReceiptMail } from '@isotherm/contract/order-links.ts'
import { type Selectable, sql } from 'kysely'
import type { TenantTx } from '../../platform/context.ts'
import { allRows, firstRow } from '../../platform/db/rows.ts'
import type { ReceiptMails } from '../../platform/db/schema.ts'
import type { Tx } from '../../platform/db/transaction.ts'

export type ReceiptMailRow = Selectable<ReceiptMails>

export interface NewReceiptMail {
  handOverId: string
  cause: ReceiptMail['cause']
  /** A member of the team, or an address with the language of its mail. */
  to: { userId: string } | { address: string; locale: Locale }
  linkId: string | null
  askedBy: string | null
  at: Date
}

/** Notes a mail that is to be sent; its id. Undefined where the same one waits already, or a hand-over has mailed its receipt by itself. */
export async function insertReceiptMail(
  { tx, companyId }: TenantTx,
  { handOverId, cause, to, linkId, askedBy, at }: NewReceiptMail,
): Promise<string | undefined> {
  const { userId, address, locale } = { userId: null, address: null, locale: null, ...to }
  const row = await firstRow<{ id: string }>(tx)`
    insert into receipt_mails (company_id, handover_id, cause, user_id, address, locale, link_id, asked_by_name, asked_at)
    values (${companyId}, ${handOverId}::int8, ${cause}, ${userId}::int8, ${address}, ${locale}, ${linkId}::int8, ${askedBy}, ${at})
    on conflict do nothing returning id`
  return row?.id
}

export const findReceiptMail = ({ tx, companyId }: TenantTx, id: string): Promise<ReceiptMailRow | undefined> =>
  firstRow<ReceiptMailRow>(tx)`select * from receipt_mails where company_id = ${companyId} and id = ${id}::int8`

/** Ends the waiting of a mail. */
export const settleReceiptMail = ({ tx, companyId }: TenantTx, id: string, state: 'sent' | 'dropped', at: Date) =>
  firstRow(tx)`
    update receipt_mails set state = ${state}, settled_at = ${at}
    where company_id = ${companyId} and id = ${id}::int8 and state = 'waiting' returning id`

export type ShownMailRow = Pick<ReceiptMailRow, 'handover_id' | 'cause' | 'asked_by_name' | 'asked_at' | 'state'> &
  Pick<ReceiptMailRow, 'settled_at'> & { to: string }

/** The mails of the receipts of these hand-overs, oldest first, the newest twenty of each; members by the names that they have now. */
export const receiptMailsOf = ({ tx, companyId }: TenantTx, handOverIds: readonly string[]): Promise<ShownMailRow[]> =>
  allRows<ShownMailRow>(tx)`
    select m.handover_id, m.cause, m.asked_by_name, m.asked_at, m.state, m.settled_at, coalesce(u.fullname, m.address) as to
    from unnest(${handOverIds}::int8[]) as h (id)
    cross join lateral (select * from receipt_mails m where m.company_id = ${companyId} and m.handover_id = h.id order by m.id desc limit 20) m
    left join users u on u.company_id = m.company_id and u.id = m.user_id
    order by m.id`

/** How many mails were asked for since an instant, of a link or of the company, and when the first of them was. */
export const askedSince = async (
  { tx, companyId }: TenantTx,
  cause: ReceiptMail['cause'],
  since: Date,
  linkId: string | null,
): Promise<{ count: number; first: Date | null }> =>
  (await firstRow<{ count: number; first: Date | null }>(tx)`
    select count(*)::int as count, min(asked_at) as first from receipt_mails
    where company_id = ${companyId} and cause = ${cause} and asked_at > ${since}
      and (${linkId}::int8 is null or link_id = ${linkId}::int8)`) ?? { count: 0, first: null }

/** A mail with its address. */
interface AddressRow {
  company_id: number
  id: string
  address: string
}

/** The oldest mails from before an instant whose addresses are not masked. As pipeline, for all companies. */
export const unmaskedBefore = (tx: Tx, before: Date, max: number): Promise<AddressRow[]> =>
  allRows<AddressRow>(tx)`
    select company_id, id, address from receipt_mails
    where address is not null and masked_at is null and asked_at < ${before} order by asked_at limit ${max} for update skip locked`

/** Writes masked addresses; a mail that still waits is not sent any more. As pipeline. */
export const maskAddresses = (tx: Tx, rows: readonly AddressRow[], now: Date) =>
  sql`
    update receipt_mails m set address = x.address, masked_at = ${now},
      state = case m.state when 'waiting' then 'dropped' else m.state end, settled_at = coalesce(m.settled_at, ${now}::timestamptz)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (company_id int4, id int8, address text)
    where m.company_id = x.company_id and m.id = x.id`.execute(tx)
