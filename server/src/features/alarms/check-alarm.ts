import type { NewRecipient } from '@isotherm/contract/alarm-recipients.ts'
import type { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import type { NewAlarm } from '@isotherm/contract/alarms.ts'
import { sql } from 'kysely'
import { seesPrivate } from '../../platform/auth/visibility.ts'
import { deviceIdOf, visibleSql } from '../../platform/devices/visible-devices.ts'
import { visibleGroupSql } from '../../platform/groups/visible-groups.ts'
import { AppError, InvalidInput, invalidField } from '../../platform/http/app-error.ts'
import type { Context } from '../../platform/http/context.ts'
import { addressFault } from '../../platform/messaging/webhook.ts'

type CheckedAlarm = Pick<NewAlarm, 'deviceIds' | 'groupIds' | 'rule' | 'recipients' | 'escalation'>
type Problem = InvalidInput['problems'][number]

/**
 * Throws one 422 that names everything of an alarm that is not there, not the caller's, or no address to post to. An alarm tells
 * what devices measure: it needs the permission to view them.
 */
export async function checkAlarm(ctx: Context, alarm: CheckedAlarm): Promise<void> {
  if (!ctx.can('devices.view')) throw invalidField('rule', 'rule.devicesNotSeen')
  const problems = [
    ...(await unknownDevices(ctx, alarm.deviceIds)),
    ...(await unknownGroups(ctx, alarm.groupIds)),
    ...(alarm.rule.kind === 'fence' ? await unknownPlaces(ctx, alarm.rule) : []),
    ...(await unknownPeople(ctx, 'recipients', alarm.recipients)),
    ...(await unknownPeople(ctx, 'escalation', alarm.escalation)),
    ...wrongAddresses(ctx, 'recipients', alarm.recipients),
    ...wrongAddresses(ctx, 'escalation', alarm.escalation),
    ...wrongVouchers(ctx, 'recipients', alarm.recipients),
    ...wrongVouchers(ctx, 'escalation', alarm.escalation),
  ]
  if (problems.length > 0) throw new InvalidInput(problems)
}

const missing = (path: string): Problem => ({ path, message: { key: 'fields.rule.unknownItem', values: {} } })

function idOrNull(id: string): number | null {
  try {
    return deviceIdOf(id)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

async function unknownDevices(ctx: Context, ids: readonly string[]): Promise<Problem[]> {
  const known = ids.flatMap((id) => idOrNull(id) ?? [])
  const { rows } = await sql<{ id: number }>`
    select d.id from devices d where ${visibleSql(ctx)} and d.decommissioned_at is null
    and d.id = any(${known})`.execute(ctx.tx)
  return notIn('deviceIds', ids, new Set(rows.map(({ id }) => String(id))))
}

async function unknownGroups(ctx: Context, ids: readonly string[]): Promise<Problem[]> {
  const { rows } = await sql<{ id: string }>`
    select g.id from groups g where ${visibleGroupSql(ctx)} and g.id = any(${ids}::int8[])`.execute(ctx.tx)
  return notIn('groupIds', ids, new Set(rows.map(({ id }) => id)))
}

async function unknownPlaces(ctx: Context, rule: AlarmRule & { kind: 'fence' }): Promise<Problem[]> {
  const { rows } = await sql<{ key: string }>`
    select 'g' || id as key from geofences where company_id = ${ctx.companyId} and id = any(${rule.geofenceIds}::int8[])
    union all select 'p' || id from points_of_interest
    where company_id = ${ctx.companyId} and id = any(${rule.pointOfInterestIds}::int8[])`.execute(ctx.tx)
  const found = new Set(rows.map(({ key }) => key))
  const known = (prefix: string) => new Set([...found].filter((key) => key[0] === prefix).map((key) => key.slice(1)))
  return [
    ...notIn('rule.geofenceIds', rule.geofenceIds, known('g')),
    ...notIn('rule.pointOfInterestIds', rule.pointOfInterestIds, known('p')),
  ]
}

async function unknownPeople(ctx: Context, field: string, recipients: readonly NewRecipient[]): Promise<Problem[]> {
  const ids = recipients.map((recipient) => ('userId' in recipient ? recipient.userId : null))
  const { rows } = await sql<{ id: string }>`
    select id from users where company_id = ${ctx.companyId} and archived_at is null
    and id = any(${ids.filter((id) => id !== null)}::int8[])`.execute(ctx.tx)
  const known = new Set(rows.map(({ id }) => id))
  return ids.flatMap((id, index) => (id === null || known.has(id) ? [] : [missing(`${field}.${index}.userId`)]))
}

const wrongAddresses = (ctx: Context, field: string, recipients: readonly NewRecipient[]): Problem[] =>
  recipients.flatMap((recipient, index) => {
    const fault = 'webhook' in recipient && addressFault(recipient.webhook, ctx.services.config.webhookAllowPrivate)
    return fault ? [{ path: `${field}.${index}.webhook`, message: { key: `fields.${fault}`, values: {} } }] : []
  })

const wrongVouchers = (ctx: Context, field: string, recipients: readonly NewRecipient[]): Problem[] =>
  recipients.flatMap((recipient, index) =>
    'vouched' in recipient && recipient.vouched && !seesPrivate(ctx.person)
      ? [{ path: `${field}.${index}.vouched`, message: { key: 'fields.rule.adminsOnly', values: {} } }]
      : [],
  )

const notIn = (field: string, ids: readonly string[], known: ReadonlySet<string>): Problem[] =>
  ids.flatMap((id, index) => (known.has(id) ? [] : [missing(`${field}.${index}`)]))
