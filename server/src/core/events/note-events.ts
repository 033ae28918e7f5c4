import type { EventName, events } from '@isotherm/contract/webhook-events.ts'
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { z } from 'zod'
import type { Tx } from '../../platform/db/transaction.ts'
import { eventsText, triggerEventsText } from './events-sql.ts'

type Data<T extends EventName> = z.input<(typeof events)[T]['data']>

/** The things that an event is of: who may see these may know of it. `deviceId` puts the device's id and name into its data. */
interface Subject {
  deviceId?: number
  deviceIds?: readonly number[]
  groupId?: string | null
  /** For a test: the one endpoint it is for. */
  endpointId?: string
}

type OfType<T extends EventName> = Subject & {
  companyId: number
  type: T
  /** Tells it from all others of the company: the same one again is written once. Its type is put before it. */
  key: string
  data: Omit<Data<T>, 'sequence' | 'href' | 'deviceId' | 'deviceName'>
  at: Date
}
/** An event that is to be written. Events of alarms are made of their triggers. */
export type EventDraft = { [T in Exclude<EventName, `alarm.${string}`>]: OfType<T> }[Exclude<
  EventName,
  `alarm.${string}`
>]

const jsonOf = (drafts: readonly EventDraft[]) =>
  JSON.stringify(drafts.map((draft, index) => ({ ...draft, place: index, key: `${draft.type}:${draft.key}` })))

/** Writes events where the company's feed is on, in the transaction of what happened; as `app` of the company, or as pipeline. */
export async function noteEvents(tx: Tx, drafts: readonly EventDraft[]): Promise<void> {
  if (drafts.length > 0) await tx.executeQuery(CompiledQuery.raw(eventsText, [jsonOf(drafts)]))
}

/** The same over a bare connection. */
export async function writeEvents(client: Pick<pg.ClientBase, 'query'>, drafts: readonly EventDraft[]): Promise<void> {
  if (drafts.length > 0)
    await client.query({ name: 'write_company_events', text: eventsText, values: [jsonOf(drafts)] })
}

export interface TriggerEvent {
  companyId: number
  id: string
  type: Extract<EventName, `alarm.${string}`>
}

/** Writes that something happened to triggers. */
export async function noteTriggerEvents(tx: Tx, happened: readonly TriggerEvent[], now: Date): Promise<void> {
  if (happened.length > 0)
    await tx.executeQuery(CompiledQuery.raw(triggerEventsText, [JSON.stringify(happened), now.getTime()]))
}

export async function writeTriggerEvents(
  client: Pick<pg.ClientBase, 'query'>,
  happened: readonly TriggerEvent[],
  now: number,
) {
  const values = [JSON.stringify(happened), now]
  if (happened.length > 0) await client.query({ name: 'write_trigger_events', text: triggerEventsText, values })
}
