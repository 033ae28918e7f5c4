import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
import type { Services } from '../../platform/services.ts'
import { type EndingLicence, licencesEnding, noteLicenceNotice } from './licence-notice-queries.ts'
import type { Settling } from './settling.ts'
import { tellPayers } from './tell-payers.ts'

/** So many days before a licence ends it is said. */
const noticeDays = [1, 7, 30] as const

const maxPerRun = 500

/**
 * Tells of trials, and of licences of keys, that end in 30, 7 and 1 days: each once. What was missed while the server was off is not made up
 * for, but by the next one.
 */
export async function tellOfLicences(services: Services): Promise<void> {
  const now = services.clock.now()
  for (const days of noticeDays) {
    const found = await asPipeline(services.pool, ({ tx }) => licencesEnding(tx, days, now, maxPerRun))
    const failed = ({ company_id: companyId, id }: EndingLicence, err: unknown) =>
      services.log.error({ err, companyId, licence: id }, 'that a licence ends could not be told')
    await eachApart(found, { failed }, (licence) => tell(services, licence, days, now))
  }
}

async function tell(services: Services, licence: EndingLicence, days: number, now: Date): Promise<void> {
  const told: (() => void)[] = []
  const { company_id: companyId, id, source, hint, devices: count } = licence
  const at = licence.expires_at.toISOString()
  await inTenant(services.pool, companyId, async (transaction) => {
    const of: Settling = { ...transaction, services, companyId, now, afterCommit: (work) => void told.push(work) }
    // Whatever is further away is behind it now, too.
    const isNew = await noteLicenceNotice(
      of,
      id,
      noticeDays.filter((each) => each >= days),
      days,
      now,
    )
    if (!isNew) return
    const notice =
      source === 'trial' ? { what: 'trialEnds' as const, at } : { what: 'keyEnds' as const, at, hint, count }
    await tellPayers(of, `licence-${id}-${days}`, notice)
  })
  for (const each of told) each()
}
