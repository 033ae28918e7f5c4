import { type HandOverNote, onCallLimits, type Rota } from '@isotherm/contract/on-call.ts'
import { hearerAt, type RotaMember } from '../../core/alarms/rota-sql.ts'
import { shiftsFrom } from '../../domain/on-call.ts'
import type { Context } from '../../platform/context.ts'
import type { NoteRow } from './note-queries.ts'
import { isNews } from './policy.ts'
import type { RotaRow } from './rota-queries.ts'

const memberOf = ({ plan }: RotaRow, id: string): RotaMember | undefined => plan.members.find((each) => each.id === id)

export const nameIn = (row: RotaRow, id: string): string => memberOf(row, id)?.name ?? ''

export function presentRota({ clock }: Pick<Context, 'clock'>, row: RotaRow): Rota {
  const { name, weekday, time, zone, startsOn, people, overrides } = row.plan
  const now = clock.now()
  const named = (id: string) => ({ id, name: nameIn(row, id) })
  const iso = (at: number) => new Date(at).toISOString()
  const hearer = hearerAt(row.plan, now)
  return {
    ...{ id: row.id, name, weekday, time, zone, startsOn, version: row.version },
    people: people.map((id) => ({ ...named(id), isAvailable: memberOf(row, id)?.isAvailable ?? false })),
    onCall: hearer ? named(hearer.id) : null,
    shifts: shiftsFrom(row.plan, now.getTime(), onCallLimits.turns).map(({ from, to, userId, insteadOf }) => ({
      from: iso(from),
      to: iso(to),
      person: named(userId),
      insteadOf: insteadOf === null ? null : named(insteadOf),
    })),
    overrides: overrides
      .filter(({ to }) => to > now.getTime())
      .map(({ id, userId, insteadOf, from, to }) => ({
        ...{ id, person: named(userId), insteadOf: named(insteadOf), from: iso(from), to: iso(to) },
      })),
  }
}

/** How the audit trail names a rota. */
export const target = ({ id, plan }: RotaRow) => ({ kind: 'rota', id, name: plan.name })

export const auditSnapshot = (row: RotaRow) => {
  const { name, weekday, time, startsOn, people } = row.plan
  return { name, weekday, time, startsOn, people: people.map((id) => nameIn(row, id)) }
}

export const presentNote = (ctx: Context, row: NoteRow, canHandOver: boolean): HandOverNote => ({
  id: row.id,
  text: row.text,
  at: row.at.toISOString(),
  by: { id: row.by_id, name: row.by_name },
  readAt: row.read_at?.toISOString() ?? null,
  readBy: row.read_by_name,
  canRead: canHandOver && isNews(ctx, row),
})
