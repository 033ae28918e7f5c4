import { vouches } from '../visibility/visibility.ts'

/** Recipients `r` of alarms, a rota as one without people; with the person `u`, the permissions `p` of their role, and the person `v` who named an address. */
export const recipientsText = `alarm_recipients r
left join users u on u.company_id = r.company_id and u.id = r.user_id
left join users v on v.company_id = r.company_id and v.id = r.named_by
left join role_permissions p on p.company_id = u.company_id and p.role = u.role and u.role <> 'admin'`

/** Whether a person `u` has joined and may see alarms and devices, by the permissions `p` of their role. */
export const seesAlarmsText = `(u.archived_at is null and u.status = 'active'
  and coalesce((p.matrix -> 'alarms' ->> 'view')::bool, true) and coalesce((p.matrix -> 'devices' ->> 'view')::bool, true))`

/** Whether a person `u` has joined and may view dispatch, by the permissions `p` of their role. */
export const seesOrdersText = `(u.archived_at is null and u.status = 'active' and coalesce((p.matrix -> 'dispatch' ->> 'view')::bool, true))`

/**
 * As `recipientsText`, with a row for every person of a rota that was not deleted; an override does not count, because it ends. Where there is
 * row-level security PostgreSQL looks no row up by a `coalesce`: with one all people of the company would be read for each recipient.
 */
export const reachedText = `alarm_recipients r
left join rotas o on o.company_id = r.company_id and o.id = r.rota_id and o.archived_at is null
left join rota_people q on q.company_id = o.company_id and q.rota_id = o.id
left join users u on u.company_id = r.company_id and u.id = case when r.user_id is null then q.user_id else r.user_id end
left join users v on v.company_id = r.company_id and v.id = r.named_by
left join role_permissions p on p.company_id = u.company_id and p.role = u.role and u.role <> 'admin'`

/** Whether messages go to a recipient at all: to addresses, and to people who may see alarms and devices. */
export const isToldText = `(r.address is not null or coalesce(${seesAlarmsText}, false))`

/** Whether a recipient hears of private alarms and devices: Admins, and addresses that an Admin named who still is one. */
export const hearsPrivateText = `coalesce(u.role = 'admin', ${vouches('v')}, false)`
