import { eventsKeptDays } from '@isotherm/contract/webhooks.ts'
import { z } from 'zod'
import { noteCompany } from '../../core/devices/settings-changes.ts'
import { noteEvents } from '../../core/events/note-events.ts'
import { deleteEventsBefore, switchOffUnread } from '../../core/events/number-queries.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { Job, Services } from '../../platform/services.ts'
import { forgetSecrets } from './secret-queries.ts'
import { stateEvents } from './state-events.ts'
import { changedStates, writeStates } from './state-queries.ts'

const maxPerRun = 2_000
const maxRuns = 20

/** Every minute: tells which devices are offline, online again or expired, of companies whose feed is on. What they are is what the clock says. */
export const tellDeviceStates: Job<Record<string, never>> = {
  name: 'tell-device-states',
  payload: z.strictObject({}),
  retryLimit: 0,
  cron: '* * * * *',
  async run({ pool, clock }) {
    const now = clock.now()
    for (let runs = 0; runs < maxRuns; runs++) {
      const changed = await asPipeline(pool, async ({ tx }) => {
        const rows = await changedStates(tx, now, maxPerRun)
        await writeStates(tx, rows)
        await noteEvents(tx, stateEvents(rows, now))
        return rows.length
      })
      if (changed < maxPerRun) return
    }
  },
}

/** Tells the same of the devices of a sandbox, at what its clock says. */
export const tellStatesOfSandbox = ({ pool }: Pick<Services, 'pool'>, companyId: number, at: Date): Promise<void> =>
  asPipeline(pool, async ({ tx }) => {
    const rows = await changedStates(tx, at, maxPerRun, companyId)
    await writeStates(tx, rows)
    await noteEvents(tx, stateEvents(rows, at))
  })

/** Every night: forgets events of more than 30 days ago with their messages, and secrets that are over, and switches off feeds that nobody reads. */
export const forgetEvents: Job<Record<string, never>> = {
  name: 'forget-events',
  payload: z.strictObject({}),
  retryLimit: 2,
  cron: '25 3 * * *',
  async run({ pool, clock, log }) {
    const before = new Date(clock.now().getTime() - eventsKeptDays * 86_400_000)
    let events = 0
    for (;;) {
      const gone = await asPipeline(pool, ({ tx }) => deleteEventsBefore(tx, before, maxPerRun))
      events += gone
      if (gone < maxPerRun) break
    }
    const companies = await asPipeline(pool, async ({ tx }) => {
      const off = await switchOffUnread(tx, before)
      for (const companyId of off) await noteCompany({ tx, companyId })
      await forgetSecrets(tx, clock.now())
      return off.length
    })
    log.info({ events, companies }, 'events that were kept long enough are forgotten')
  },
}
