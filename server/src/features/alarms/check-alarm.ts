import type { NewRecipient } from '@isotherm/contract/alarm-recipients.ts'
import type { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import type { AlarmChange } from '@isotherm/contract/alarms.ts'
import { knownRotas } from '../../core/alarms/rota-sql.ts'
import { deviceIdOf } from '../../core/devices/visible-devices.ts'
import { seesPrivate } from '../../core/visibility/visibility.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, InvalidInput, invalidField } from '../../platform/errors/app-error.ts'
import { addressFault } from '../../platform/messaging/webhook.ts'
import { knownDevices, knownGroups, knownPeople, knownPlaces } from './known-queries.ts'

type Choices = Pick<AlarmChange, 'deviceIds' | 'groupIds' | 'rule' | 'recipients' | 'escalation'>
type Problem = InvalidInput['problems'][number]

/**
 * Checks what somebody chose for an alarm; what they left out stays as it is, also where a former choice was deleted since. Throws
 * one VALIDATION that names everything that is not there, not the caller's, or no address to post to. An alarm tells what devices
 * measure: it needs the permission to view them.
 */
export async function checkAlarm(ctx: Context, alarm: Choices): Promise<void> {
  if (!ctx.can('devices.view')) throw invalidField('rule', 'rule.devicesNotSeen')
  const { deviceIds = [], groupIds = [], recipients = [], escalation = [], rule } = alarm
  const problems = [
    ...notIn(
      'deviceIds',
      deviceIds,
      await knownDevices(
        ctx,
        deviceIds.flatMap((id) => idOrNull(id) ?? []),
      ),
    ),
    ...notIn('groupIds', groupIds, await knownGroups(ctx, groupIds)),
    ...(rule?.kind === 'fence' ? await unknownPlaces(ctx, rule) : []),
    ...(await unknownPeople(ctx, 'recipients', recipients)),
    ...(await unknownPeople(ctx, 'escalation', escalation)),
    ...(await unknownRotas(ctx, 'recipients', recipients)),
    ...(await unknownRotas(ctx, 'escalation', escalation)),
    ...wrongAddresses(ctx, 'recipients', recipients),
    ...wrongAddresses(ctx, 'escalation', escalation),
    ...wrongVouchers(ctx, 'recipients', recipients),
    ...wrongVouchers(ctx, 'escalation', escalation),
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

async function unknownPlaces(ctx: Context, rule: AlarmRule & { kind: 'fence' }): Promise<Problem[]> {
  const { geofences, points } = await knownPlaces(ctx, rule)
  return [
    ...notIn('rule.geofenceIds', rule.geofenceIds, geofences),
    ...notIn('rule.pointOfInterestIds', rule.pointOfInterestIds, points),
  ]
}

async function unknownPeople(ctx: Context, field: string, recipients: readonly NewRecipient[]): Promise<Problem[]> {
  const ids = recipients.map((recipient) => ('userId' in recipient ? recipient.userId : null))
  const known = await knownPeople(
    ctx,
    ids.filter((id) => id !== null),
  )
  return ids.flatMap((id, index) => (id === null || known.has(id) ? [] : [missing(`${field}.${index}.userId`)]))
}

async function unknownRotas(ctx: Context, field: string, recipients: readonly NewRecipient[]): Promise<Problem[]> {
  const ids = recipients.map((recipient) => ('rotaId' in recipient ? recipient.rotaId : null))
  const known = await knownRotas(
    ctx,
    ids.filter((id) => id !== null),
  )
  return ids.flatMap((id, index) => (id === null || known.has(id) ? [] : [missing(`${field}.${index}.rotaId`)]))
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
