import { NewRecord } from '@isotherm/contract/records.ts'
import { addRecord } from '../features/records/verbs.ts'
import type { Services } from '../platform/services.ts'
import { asAdmin } from './actor.ts'

const hourMs = 3_600_000

/** Gives a company without records those of the demo: a journey that is over, and one of the same lot that goes on. */
export const ensureRecords = (services: Services, companyId: number): Promise<void> =>
  asAdmin(services, companyId, async (ctx) => {
    const known = await ctx.tx.selectFrom('records').select('id').where('company_id', '=', companyId).limit(1).execute()
    if (known.length > 0) return
    const devices = await ctx.tx
      .selectFrom('devices')
      .select(['id', 'name'])
      .where('company_id', '=', companyId)
      .where('name', '~', 'Outreach')
      .orderBy('id')
      .execute()
    const deviceIds = devices.map(({ id }) => String(id))
    if (deviceIds.length === 0) return
    const hoursAgo = (hours: number) => new Date(ctx.clock.now().getTime() - hours * hourMs).toISOString()
    const lot = 'PENTA-2611-07'
    const budget = { aboveC: 8, aboveMinutes: 24 * 60, neverAboveC: 25 }
    const drafts = [
      { name: 'Outreach round, first week', startAt: hoursAgo(14 * 24), endAt: hoursAgo(9 * 24) },
      { name: 'Outreach round, second week', startAt: hoursAgo(3 * 24), note: 'Ice packs changed every morning.' },
    ]
    for (const draft of drafts) await addRecord(ctx, NewRecord.parse({ ...draft, deviceIds, lot, budget }))
  })
