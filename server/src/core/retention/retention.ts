import { monthsBefore, retentionStep } from '../../domain/retention.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { TenantTx } from '../../platform/context.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import type { Services } from '../../platform/services.ts'
import type { BillingNotice } from '../billing/billing-texts.ts'
import type { Settling } from '../billing/settling.ts'
import { tellPayers } from '../billing/tell-payers.ts'
import { retentionOf } from '../company/subscription-queries.ts'
import {
  announceRetention,
  findRetention,
  hasReadingsBefore,
  noteToldAgain,
  setRetention,
  stopRetention,
  withdrawRetention,
} from './retention-queries.ts'

export const byRetention = (at: Date) => ({
  actor: { kind: 'system' as const, name: 'retention' },
  origin: { address: '', agent: 'job', requestId: '' },
  at,
})

/**
 * For how many months a company's readings have to stay; null: for ever, also where nothing is sold or the operator deletes nothing. Late readings
 * are stored up to INGEST_MAX_AGE_MONTHS: what they are judged with has to be there, so a month more than that stays.
 */
async function monthsToKeep(of: TenantTx, { config }: Services, now: Date): Promise<number | null> {
  if (!config.billing.isOn || !config.retentionDeletes) return null
  const months = await retentionOf(of, now)
  return months === null ? null : Math.max(months, config.ingest.maxAgeMonths + 1)
}

/** Does what is due about the keeping of one company's readings: announces, says it again, begins, withdraws. Deletes nothing. */
export async function settleRetention(services: Services, companyId: number): Promise<void> {
  const now = services.clock.now()
  const step = await inTenant(services.pool, companyId, async ({ tx }) => {
    const of = { tx, companyId }
    return retentionStep(await findRetention(of), await monthsToKeep(of, services, now), now)
  })
  switch (step?.act) {
    case 'announce': {
      const from = monthsBefore(step.at, step.months)
      const hasOld = await inTenant(services.pool, companyId, ({ tx }) => hasReadingsBefore({ tx, companyId }, from))
      // A larger plan may keep all there is: what was announced before does not come.
      if (!hasOld) return withdraw(services, companyId, now)
      return tellShrinks(services, companyId, now, step, (of) => announceRetention(of, { ...step, now }))
    }
    case 'again':
      return tellShrinks(services, companyId, now, step, (of) => noteToldAgain(of, step.at, now))
    case 'begin':
      return set(services, companyId, step.months, now)
    case 'lengthen':
      await withdraw(services, companyId, now)
      return set(services, companyId, step.months, now)
    case 'lift':
      await asPipeline(services.pool, ({ tx }) => stopRetention({ tx, companyId }))
      return withdraw(services, companyId, now)
    case 'withdraw':
      return withdraw(services, companyId, now)
  }
}

/** Whether what is in force still is, or the company bought a plan that keeps more since. As pipeline. */
export async function mayForget(of: TenantTx, services: Services, cutAt: Date): Promise<boolean> {
  const now = services.clock.now()
  const months = await monthsToKeep(of, services, now)
  return months !== null && monthsBefore(now, months) >= cutAt
}

const set = async (services: Services, companyId: number, months: number, now: Date) => {
  await asPipeline(services.pool, ({ tx }) => setRetention({ tx, companyId }, months, monthsBefore(now, months)))
}

function tellShrinks(
  services: Services,
  companyId: number,
  now: Date,
  { at, months }: { at: Date; months: number },
  change: (of: TenantTx) => Promise<boolean>,
): Promise<void> {
  const from = monthsBefore(at, months).toISOString()
  const notice = { what: 'retentionShrinks' as const, at: at.toISOString(), from, months }
  return tell(services, companyId, now, { key: `retention-${now.toISOString()}`, notice, change })
}

const withdraw = (services: Services, companyId: number, now: Date) =>
  tell(services, companyId, now, {
    key: `retention-stays-${now.toISOString()}`,
    notice: { what: 'retentionStays' },
    change: withdrawRetention,
  })

/** Changes what is announced, and tells those who may see payments of it, in one transaction. */
async function tell(
  services: Services,
  companyId: number,
  now: Date,
  { key, notice, change }: { key: string; notice: BillingNotice; change: (of: TenantTx) => Promise<boolean> },
): Promise<void> {
  const told: (() => void)[] = []
  await inTenant(services.pool, companyId, async (transaction) => {
    const of: Settling = { ...transaction, services, companyId, now, afterCommit: (work) => void told.push(work) }
    if (!(await change(of))) return
    await tellPayers(of, key, notice)
    const { what, ...after } = notice
    await writeAudit(of.tx, companyId, byRetention(now), [{ action: `subscription.${what}`, after }])
  })
  for (const each of told) each()
}
