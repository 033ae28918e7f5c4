import type { EpcisCheck, EpcisPush, ToldStep } from '@isotherm/contract/epcis.ts'
import { faultsOf } from '../../domain/epcis/faults.ts'
import type { Gathered } from './gather.ts'
import type { PushRow } from './queries.ts'

export function presentCheck({ document, usesGs1 }: Gathered, canPush: boolean): EpcisCheck {
  const { eventList } = document.epcisBody
  const bySteps = new Map<ToldStep, number>()
  for (const { bizStep } of eventList) bySteps.set(bizStep, (bySteps.get(bizStep) ?? 0) + 1)
  return {
    events: eventList.length,
    bySteps: [...bySteps].map(([bizStep, events]) => ({ bizStep, events })),
    hiddenDevices: document['iso:hiddenDevices'],
    usesGs1,
    // A shipment that nothing happened to yet has no events: that is no fault of it.
    faults: eventList.length > 0 ? faultsOf(document) : [],
    canPush,
  }
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

export const presentPush = (row: PushRow): EpcisPush => ({
  ...{ id: row.id, state: row.state as EpcisPush['state'], events: row.events },
  ...{ url: row.url.replace(/[?#].*$/, ''), sha256: row.sha256.toString('hex'), attempts: row.attempts },
  ...{ lastStatus: row.last_status, lastError: row.last_error, nextAt: iso(row.next_at) },
  ...{ createdAt: row.created_at.toISOString(), createdByName: row.created_by_name, settledAt: iso(row.settled_at) },
})
