import { localDayOf } from '@isotherm/contract/zone-times.ts'
import { insertNote } from '../features/on-call/note-queries.ts'
import { addRota } from '../features/on-call/rotas.ts'
import type { Services } from '../platform/services.ts'
import { asAdmin } from './actor.ts'

/** Gives a company a rota of its people, and a note that its Manager left for the next on call. */
export const ensureOnCall = (services: Services, companyId: number): Promise<void> =>
  asAdmin(services, companyId, async (ctx) => {
    const people = await ctx.tx
      .selectFrom('users')
      .select(['id', 'fullname', 'role'])
      .where('company_id', '=', companyId)
      .orderBy('id')
      .execute()
    const now = ctx.clock.now()
    const startsOn = localDayOf(now.getTime(), 'Africa/Lagos')
    const order = people.map(({ id }) => id)
    await addRota(ctx, { name: 'Nights and weekends', people: order, weekday: 1, time: '08:00', startsOn })
    const manager = people.find(({ role }) => role === 'manager')
    if (!manager) return
    const text = 'The compressor of the cold room was serviced. Please watch it until Thursday.'
    await insertNote(ctx, { text, at: now, by_id: manager.id, by_name: manager.fullname })
  })
