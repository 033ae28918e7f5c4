import { shownWebhook } from '../../core/alerts/webhook-shown.ts'
import { seesPrivate } from '../../core/visibility/visibility.ts'
import type { Context } from '../../platform/context.ts'
import type { AuditRow } from './queries.ts'
import { privateThings } from './unseen-queries.ts'

/** Devices and groups that are invisible to a person: entries about visible things may name them, too. */
interface Unseen {
  devices: ReadonlySet<string>
  /** All names they ever had: entries of before say no ids. */
  deviceNames: ReadonlySet<string>
  groups: ReadonlySet<string>
}

/** How a person reads the trail. */
export interface Sight {
  /** Null for whoever sees everything. */
  unseen: Unseen | null
  /** Whose entries say from where; null: everybody's do. */
  origins: string | null
  webhook(address: string): string
}

/** From where others worked is for Admins; so is what is private. */
export async function sightOf(ctx: Context): Promise<Sight> {
  return {
    unseen: await unseenBy(ctx),
    origins: ctx.person.role === 'admin' ? null : ctx.person.id,
    webhook: (address) => shownWebhook(ctx, address),
  }
}

async function unseenBy(ctx: Context): Promise<Unseen | null> {
  if (seesPrivate(ctx.person)) return null
  const { devices, groups } = await privateThings(ctx)
  return {
    devices: new Set(devices.map(({ id }) => id)),
    deviceNames: new Set(devices.map(({ name }) => name)),
    groups: new Set(groups.map(({ id }) => id)),
  }
}

/** The entry without what does not exist for the person, or is not theirs to know. */
export function redact(row: AuditRow, sight: Sight): AuditRow {
  const isTheirs = sight.origins === null || (row.actor.kind === 'user' && row.actor.id === sight.origins)
  return { ...row, before: seen(row.before, sight), after: seen(row.after, sight), origin: isTheirs ? row.origin : {} }
}

type Facts = AuditRow['before']

function seen(facts: Facts, { unseen, webhook }: Sight): Facts {
  if (!facts) return facts
  const shown = withWebhooks(facts, webhook)
  return unseen ? withoutUnseen(shown, unseen) : shown
}

const isUrl = (value: unknown): value is string => typeof value === 'string' && /^https?:\/\//.test(value)

/** Webhooks among the recipients of alarms. */
function withWebhooks(facts: NonNullable<Facts>, webhook: Sight['webhook']): NonNullable<Facts> {
  const one = (each: unknown) =>
    isUrl(each)
      ? webhook(each)
      : typeof each === 'object' && each !== null && 'address' in each && isUrl(each.address)
        ? { ...each, address: webhook(each.address) }
        : each
  return Object.fromEntries(
    Object.entries(facts).map(([key, value]) => [
      key,
      recipientLists.has(key) && Array.isArray(value) ? value.map(one) : value,
    ]),
  )
}
const recipientLists = new Set(['recipients', 'escalation', 'vouchedFor'])

function withoutUnseen(facts: NonNullable<Facts>, unseen: Unseen): NonNullable<Facts> {
  const { device, deviceId, devices, groups } = facts
  const left: Record<string, unknown> = { ...facts }
  if (typeof deviceId === 'string' ? unseen.devices.has(deviceId) : isName(device, unseen)) {
    left.device = null
    delete left.deviceId
  }
  if (Array.isArray(groups)) left.groups = groups.filter((group) => !unseen.groups.has(idOf(group) ?? ''))
  if (Array.isArray(devices)) {
    const kept = devices.filter((each) => !isUnseen(each, unseen))
    left.devices = kept
    // A list of the first devices of very many says how many they are.
    for (const key of ['deviceCount', 'count'] as const)
      if (typeof facts[key] === 'number') left[key] = facts[key] - (devices.length - kept.length)
  }
  return left
}

const isName = (value: unknown, { deviceNames }: Unseen) => typeof value === 'string' && deviceNames.has(value)

/** A device in a list is an object with its id; in old entries of groups its name, in those of records its id. */
function isUnseen(each: unknown, unseen: Unseen): boolean {
  const id = idOf(each)
  return id === undefined ? isName(each, unseen) || unseen.devices.has(String(each)) : unseen.devices.has(id)
}

const idOf = (each: unknown): string | undefined =>
  typeof each === 'object' && each !== null && 'id' in each ? String(each.id) : undefined
