import { cursorsKeptDays } from '@isotherm/contract/readings-export.ts'
import { z } from 'zod'
import { noteCompany } from '../../core/devices/settings-changes.ts'
import { dropArrivals, forgetArrivals, switchReadingsOff } from '../../core/reading-arrivals/feed-queries.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { Job } from '../../platform/services.ts'

const maxPerRun = 2_000

/** Every night: forgets arrivals that no cursor may go on from any more, and has nothing noted for companies that nobody exports. */
export const forgetReadingArrivals: Job<Record<string, never>> = {
  name: 'forget-reading-arrivals',
  payload: z.strictObject({}),
  retryLimit: 2,
  cron: '35 3 * * *',
  async run({ pool, clock, log }) {
    const before = new Date(clock.now().getTime() - cursorsKeptDays * 86_400_000)
    const companies = await asPipeline(pool, async ({ tx }) => {
      const off = await switchReadingsOff(tx, before)
      for (const companyId of off) await noteCompany({ tx, companyId })
      return off.length
    })
    let arrivals = 0
    for (const forget of [
      () => asPipeline(pool, ({ tx }) => dropArrivals(tx, maxPerRun)),
      () => asPipeline(pool, ({ tx }) => forgetArrivals(tx, before, maxPerRun)),
    ])
      for (let gone = maxPerRun; gone === maxPerRun; arrivals += gone) gone = await forget()
    log.info({ arrivals, companies }, 'arrivals of readings that were kept long enough are forgotten')
  },
}
