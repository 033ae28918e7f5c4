import type { ShipmentEnd } from '@isotherm/contract/shipments.ts'
import type { TreatmentNotice } from '../../core/alerts/notice-texts.ts'
import { announce, writeLines } from '../../core/alerts/notification-lines.ts'
import { insertShipmentEvent, type ShipmentRow } from '../../core/shipments/shipment-queries.ts'
import { showShipmentNumber } from '../../domain/shipment-number.ts'
import type { Bus } from '../../platform/bus/bus.ts'
import type { TenantTx } from '../../platform/context.ts'
import type { Client } from '../../platform/db/pool.ts'
import type { KeptClock } from './keep-clock.ts'
import { readersOf, type TreatmentRow } from './queries.ts'

/** The news that was told last, as `told_state` keeps it: a state, and the interruption that was the last one. */
interface Receipt {
  state: string | null
  brokenAt: string | null
}
const toldOf = (text: string | null): Receipt => {
  const [state, brokenAt] = text?.split(' ') ?? []
  return { state: state ?? null, brokenAt: brokenAt ?? null }
}
const toldText = ({ state, brokenAt }: Receipt) => [state, brokenAt].filter(Boolean).join(' ') || null

interface Happened {
  kind: 'treatmentStarted' | 'treatmentProven' | 'treatmentInterrupted'
  at: string
}

/** The things of a clock of which nobody was told, and what is told once they are. */
export function newsOf(
  told_state: string | null,
  clock: KeptClock,
  now: Date,
): { news: Happened[]; told: string | null } {
  const told = toldOf(told_state)
  const { state, startedAt, provenAt } = clock
  const wasUnderWay = told.state === 'running' || told.state === 'proven'
  const brokenAt = clock.interruptions.at(-1)?.at ?? null
  const news: Happened[] = []
  if (wasUnderWay && state !== 'proven' && (state !== 'running' || brokenAt !== told.brokenAt))
    news.push({ kind: 'treatmentInterrupted', at: brokenAt ?? now.toISOString() })
  const isUnderWay = state === 'running' || state === 'proven'
  if (isUnderWay && startedAt && (!wasUnderWay || news.length > 0))
    news.push({ kind: 'treatmentStarted', at: startedAt })
  if (provenAt && told.state !== 'proven') news.push({ kind: 'treatmentProven', at: provenAt })
  return { news, told: toldText({ state, brokenAt }) }
}

interface Telling {
  shipment: ShipmentRow
  row: TreatmentRow
  clock: KeptClock
  now: Date
  /** A probe is private: those who do not see it hear nothing. */
  isPrivate: boolean
}

/**
 * Adds an event for each thing that is new, and a notification of what people wait for or have to act on. No temperature stands in an
 * event: its reader may not see the probe.
 */
export async function tellOf(
  ctx: TenantTx & { client: Client },
  { shipment, row, clock, now, isPrivate }: Telling,
): Promise<{ told: string | null; announce(bus: Bus): void }> {
  const { news, told } = newsOf(row.told_state, clock, now)
  const [origin, { timezone }] = [shipment.origin, shipment.destination] as unknown as [ShipmentEnd, ShipmentEnd]
  for (const { kind, at } of news)
    await insertShipmentEvent(ctx, {
      ...{ shipment_id: shipment.id, kind, occurred_at: at, recorded_at: now, source: 'job' },
      // It begins where the goods are loaded, and is over where they arrive.
      occurred_zone: kind === 'treatmentStarted' ? origin.timezone : timezone,
      detail: JSON.stringify({ protocolId: row.protocol_id }),
    })
  const toTell = news.filter(({ kind }) => kind !== 'treatmentStarted')
  const people = toTell.length > 0 ? await readersOf(ctx, isPrivate) : []
  const lines = toTell.flatMap(({ kind, at }) => {
    const treatment = kind === 'treatmentProven' ? 'proven' : 'interrupted'
    const number = showShipmentNumber(shipment.number)
    const params: TreatmentNotice = { treatment, number, shipmentId: shipment.id, at, zone: timezone }
    return people.map(({ id }) => ({
      ...{ company_id: ctx.companyId, user_id: id, kind: 'coldTreatment', params, at: now },
      ...{ device_id: null, alarm_id: null, trigger_id: null },
      severity: treatment === 'proven' ? ('info' as const) : ('warning' as const),
    }))
  })
  const written = await writeLines(ctx.client, lines)
  return { told, announce: (bus) => announce(bus, written) }
}
