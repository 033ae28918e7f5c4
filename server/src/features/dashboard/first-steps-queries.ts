import type { Dashboard } from '@isotherm/contract/dashboard.ts'
import { sql } from 'kysely'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { visibleGroupSql } from '../../core/groups/visible-groups.ts'
import { seesPrivate } from '../../core/visibility/visibility.ts'
import type { ViewerTx } from '../../platform/context.ts'
import { firstRow } from '../../platform/db/rows.ts'

type Done = Record<NonNullable<Dashboard['firstSteps']>[number]['step'], boolean>

/** Which steps are done, of what the person sees. An invited person counts, the sample device does not. */
export async function stepsDone(ctx: ViewerTx): Promise<Done> {
  const devices = sql`select from devices d where ${visibleSql(ctx)} and d.decommissioned_at is null and d.sample_until is null`
  const row = await firstRow<Done>(ctx.tx)`select
    exists (${devices}) as device,
    exists (${devices} and exists (select from device_limits l where l.company_id = d.company_id and l.device_id = d.id
      and num_nonnulls(l.temperature_min_centi, l.temperature_max_centi, l.humidity_min_centi, l.humidity_max_centi) > 0))
      as limits,
    exists (select from alarms a where a.company_id = ${ctx.companyId} and a.archived_at is null
      and (${seesPrivate(ctx.person)}::bool or a.visibility = 'public')) as alarm,
    (select count(*) > 1 from users u where u.company_id = ${ctx.companyId} and u.archived_at is null) as person,
    exists (select from groups g where ${visibleGroupSql(ctx)}) as "group"`
  if (!row) throw new Error('no row of the first steps')
  return row
}

/** The sample device, where the person sees one. */
export async function findSample(ctx: ViewerTx): Promise<string | null> {
  const row = await firstRow<{ id: number }>(ctx.tx)`
    select d.id from devices d where ${visibleSql(ctx)} and d.sample_until is not null and d.decommissioned_at is null`
  return row ? String(row.id) : null
}
