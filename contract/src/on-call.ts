import { z } from 'zod'
import { del, get, patch, post, put } from './call.ts'
import { Done, GivenInstant, Id, Instant, paragraph, startBeforeEnd, text, Version } from './common.ts'
import { Paging, pageOf } from './paging.ts'

/** `turns`: the weeks that are listed ahead. Older notes than `notes` are deleted. */
export const onCallLimits = { rotas: 20, people: 50, overrides: 100, turns: 8, noteLength: 2000, notes: 1000 } as const

const Named = z.object({ id: Id, name: z.string() })

/** A stretch with one person on call; `insteadOf`: the person whose turn it is, where somebody stands in. */
export const Shift = z.object({ from: Instant, to: Instant, person: Named, insteadOf: Named.nullable() })
export type Shift = z.infer<typeof Shift>

const Weekday = z.number().int().min(1).max(7)
const HandOverTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'timeOfDay')

/** People who take turns, a week each. */
export const Rota = z.object({
  id: Id,
  name: z.string(),
  /** In the order of their turns. Unavailable: they were removed, have not joined yet, or may not see alarms and devices. */
  people: z.array(Named.extend({ isAvailable: z.boolean() })),
  /** The hand-over: 1 is Monday, and a time by the clocks of the zone, the company's. */
  weekday: Weekday,
  time: HandOverTime,
  zone: z.string(),
  /** The day on which the first person begins. */
  startsOn: z.string(),
  /** The person who hears of alarms now: the one on call or, where that one is unavailable, the next in turn; null: nobody. */
  onCall: Named.nullable(),
  /** From now on. */
  shifts: z.array(Shift),
  /** One person stands in for another, whenever it is the other's turn in that time; those that are not over. */
  overrides: z.array(z.object({ id: Id, person: Named, insteadOf: Named, from: Instant, to: Instant })),
  version: Version,
})
export type Rota = z.infer<typeof Rota>

export const NewRota = z.strictObject({
  name: text(80),
  people: z.array(Id).min(1).max(onCallLimits.people),
  weekday: Weekday,
  time: HandOverTime,
  startsOn: z.iso.date(),
})
export type NewRota = z.infer<typeof NewRota>

/** Replaces a rota; `version`: the one that the change was made from. Without it, whatever somebody else changed meanwhile is replaced, too. */
export const RotaChange = NewRota.extend({ version: Version.optional() })
export type RotaChange = z.infer<typeof RotaChange>

export const NewOverride = z
  .strictObject({ userId: Id, insteadOf: Id, from: GivenInstant, to: GivenInstant })
  .superRefine(startBeforeEnd('from', 'to'))
  .refine(({ userId, insteadOf }) => userId !== insteadOf, { message: 'samePerson', path: ['userId'] })
export type NewOverride = z.infer<typeof NewOverride>

/** A note of one on call for the next; the newest one is shown above what has fired until somebody else has read it. */
export const HandOverNote = z.object({
  id: Id,
  text: z.string(),
  at: Instant,
  by: Named,
  readAt: Instant.nullable(),
  readBy: z.string().nullable(),
  /** The caller can say that they have read it: it is another one's, and nobody has. */
  canRead: z.boolean(),
})
export type HandOverNote = z.infer<typeof HandOverNote>

const view = { needs: 'alarms.view' } as const
const edit = { needs: 'alarms.addOrEdit' } as const

export const onCall = {
  rotas: get('/on-call/rotas', { ...view, summary: 'The rotas, with who is on call', returns: z.array(Rota) }),
  addRota: post('/on-call/rotas', {
    ...edit,
    begins: 'other',
    summary: 'Adds a rota',
    body: NewRota,
    returns: Rota,
  }),
  changeRota: put('/on-call/rotas/:id', {
    ...edit,
    counts: 'recipients',
    summary: 'Replaces a rota',
    body: RotaChange,
    returns: Rota,
  }),
  removeRota: del('/on-call/rotas/:id', {
    ...edit,
    summary: 'Deletes a rota; alarms and dispatch settings that name it tell nobody by it any more',
    returns: Done,
  }),
  addOverride: post('/on-call/rotas/:id/overrides', {
    ...edit,
    summary: 'Lets one person stand in for another for a time',
    body: NewOverride,
    returns: Rota,
  }),
  removeOverride: del('/on-call/overrides/:id', { ...edit, summary: 'Takes an override back', returns: Done }),
  notes: get('/on-call/notes', {
    ...view,
    summary: 'The hand-over notes, newest first',
    query: Paging.omit({ search: true }),
    returns: pageOf(HandOverNote).extend({ canWrite: z.boolean() }),
  }),
  addNote: post('/on-call/notes', {
    ...view,
    summary: 'Leaves a note for the next on call: by those in a rota, or with addOrEdit',
    body: z.strictObject({ text: paragraph(onCallLimits.noteLength).refine((value) => value.length > 0, 'noteEmpty') }),
    returns: HandOverNote,
  }),
  readNote: patch('/on-call/notes/:id/read', {
    ...view,
    summary: 'Says that the caller, another one than its author, has read a note',
    auditOptional: true,
    returns: HandOverNote,
  }),
}
