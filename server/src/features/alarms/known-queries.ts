import type { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import { sql } from 'kysely'
import { visibleSql } from '../../core/devices/visible-devices.ts'
import { visibleGroupSql } from '../../core/groups/visible-groups.ts'
import type { TenantTx, ViewerTx } from '../../platform/context.ts'

// Each gives those of some ids that are there and that the person may choose.

export async function knownDevices(ctx: ViewerTx, ids: readonly number[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: number }>`select d.id from devices d
    where ${visibleSql(ctx)} and d.decommissioned_at is null and d.id = any(${ids})`.execute(ctx.tx)
  return new Set(rows.map(({ id }) => String(id)))
}

export async function knownGroups(ctx: ViewerTx, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select g.id from groups g where ${visibleGroupSql(ctx)} and g.id = any(${ids}::int8[])`.execute(ctx.tx)
  return new Set(rows.map(({ id }) => id))
}

export async function knownPeople({ tx, companyId }: TenantTx, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from users
    where company_id = ${companyId} and archived_at is null and id = any(${ids}::int8[])`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

export async function knownPlaces({ tx, companyId }: TenantTx, rule: AlarmRule & { kind: 'fence' }) {
  const { rows } = await sql<{ kind: string; id: string }>`
    select 'geofence' as kind, id from geofences where company_id = ${companyId} and id = any(${rule.geofenceIds}::int8[])
    union all select 'point', id from points_of_interest
    where company_id = ${companyId} and id = any(${rule.pointOfInterestIds}::int8[])`.execute(tx)
  const of = (wanted: string) => new Set(rows.flatMap(({ kind, id }) => (kind === wanted ? id : [])))
  return { geofences: of('geofence'), points: of('point') }
}
