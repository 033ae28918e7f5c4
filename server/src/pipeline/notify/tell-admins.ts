import type { Notice } from '../../core/alerts/notice-texts.ts'
import { type News, writeLines } from '../../core/alerts/notification-lines.ts'
import type { Client } from '../../platform/db/pool.ts'
import { isSandbox } from './in-sandbox.ts'
import type { Payload } from './messages.ts'

const adminsSql = `
select id, email, locale, timezone from users
where company_id = $1 and role = 'admin' and archived_at is null and status = 'active' order by id`
const mailSql = `
insert into deliveries (company_id, key, channel, event, alarm_id, user_id, address, locale, payload, severity, state, next_at, created_at)
values ($1, $2, 'mail', $3, $4, $5, $6, $7, $8, 'warning', 'queued', $9, $9) on conflict (company_id, key) do nothing`

export interface AdminNotice {
  companyId: number
  kind: 'deliveryFailed' | 'wallet'
  /** Identifies this notice. */
  key: string
  notice: Notice
  /** The subject of the failed message. */
  alarmId?: string | null
  triggerId?: string | null
  deviceId?: number | null
}

/** Tells every Admin of a company in-app and by mail. As pipeline; the news are to be announced after the commit. */
export async function tellAdmins(client: Client, about: AdminNotice, now: Date): Promise<News[]> {
  const { companyId, kind, notice, alarmId = null, triggerId = null, deviceId = null } = about
  const { rows: admins } = await client.query<{ id: string; email: string; locale: string; timezone: string }>(
    adminsSql,
    [companyId],
  )
  const isMailed = !(await isSandbox(client, companyId))
  for (const { id, email, locale, timezone } of isMailed ? admins : []) {
    const payload: Payload = { alerts: [], more: 0, deviceId, triggerId, timezone, notice }
    const key = `${about.key} ${id}`
    await client.query(mailSql, [companyId, key, kind, alarmId, id, email, locale, JSON.stringify(payload), now])
  }
  return writeLines(
    client,
    admins.map(({ id }) => ({
      company_id: companyId,
      user_id: id,
      kind,
      severity: 'warning',
      device_id: deviceId,
      alarm_id: alarmId,
      trigger_id: triggerId,
      params: notice,
      at: now,
    })),
  )
}
