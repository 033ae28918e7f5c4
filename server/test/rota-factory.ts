import type { NewRota } from '@isotherm/contract/on-call.ts'
import { insertNote } from '../src/features/on-call/note-queries.ts'
import { insertOverride } from '../src/features/on-call/override-queries.ts'
import { findRota, insertRota } from '../src/features/on-call/rota-queries.ts'
import { buildUser, inCompany, type Stage } from './factories.ts'
import type { TestApp } from './harness.ts'

interface Company {
  companyId: number
}

let count = 0

/** A rota as the add verb leaves it; by default of one Admin, handed over on Mondays at 08:00, since January 2026. */
export async function aRota(test: Stage, company: Company, spec: Partial<NewRota> = {}) {
  count += 1
  const { name = `Nights ${count}`, weekday = 1, time = '08:00', startsOn = '2026-01-05' } = spec
  const people = spec.people ?? [(await buildUser(test, { company })).id]
  const rota = { name, people, weekday, time, startsOn }
  return inCompany(test, company.companyId, async (ctx) => ({
    id: await insertRota(ctx, rota, test.clock.now()),
    ...{ name, people },
  }))
}

/** An override of a rota of its own: somebody else has the hour from now on. */
export async function anOverride(test: TestApp, company: Company) {
  const { id: rotaId, people } = await aRota(test, company)
  const { id: userId } = await buildUser(test, { company })
  const [from, to] = [0, 3_600_000].map((ms) => new Date(test.clock.now().getTime() + ms).toISOString())
  return inCompany(test, company.companyId, async (ctx) => {
    await insertOverride(ctx, rotaId, { userId, insteadOf: people[0] ?? '', from: from ?? '', to: to ?? '' })
    return { id: (await findRota(ctx, rotaId))?.plan.overrides[0]?.id ?? '' }
  })
}

/** A note of somebody of the company, which nobody has read. */
export async function aHandOverNote(test: TestApp, company: Company) {
  const { id, fullname } = await buildUser(test, { company })
  return inCompany(test, company.companyId, (ctx) =>
    insertNote(ctx, { text: 'Van 3 is in the workshop', at: test.clock.now(), by_id: id, by_name: fullname }),
  )
}
