import type { Client } from '../../platform/db/pool.ts'

/** Keeps up to when the fixes of shipments were looked at. As pipeline. */
export const setFencesSeen = (client: Client, seen: readonly { companyId: number; id: string; at: Date }[]) =>
  client.query(
    `update shipments s set fences_seen_at = w.at from unnest($1::int4[], $2::int8[], $3::timestamptz[]) as w (company_id, id, at)
     where s.company_id = w.company_id and s.id = w.id and s.fences_seen_at is distinct from w.at`,
    [seen.map(({ companyId }) => companyId), seen.map(({ id }) => id), seen.map(({ at }) => at)],
  )
