import type { onCall } from '@isotherm/contract/on-call.ts'
import type { Context } from '../../platform/context.ts'
import { presentPage } from '../../platform/http/present-page.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { listNotes, type NoteRow } from './note-queries.ts'
import { addNote, readNote } from './notes.ts'
import { mayHandOver } from './policy.ts'
import { presentNote, presentRota } from './present.ts'
import { listRotas, type RotaRow } from './rota-queries.ts'
import { addOverride, addRota, changeRota, removeOverride, removeRota } from './rotas.ts'

const rota = async (ctx: Context, row: Promise<RotaRow>) => presentRota(ctx, await row)
const note = async (ctx: Context, row: Promise<NoteRow>) => presentNote(ctx, await row, true)

export const onCallHandlers: Handlers<typeof onCall> = {
  rotas: async (ctx) => (await listRotas(ctx)).map((row) => presentRota(ctx, row)),
  addRota: (ctx, { body }) => rota(ctx, addRota(ctx, body)),
  changeRota: (ctx, { params, body }) => rota(ctx, changeRota(ctx, params.id, body)),
  removeRota: (ctx, { params }) => removeRota(ctx, params.id),
  addOverride: (ctx, { params, body }) => rota(ctx, addOverride(ctx, params.id, body)),
  removeOverride: (ctx, { params }) => removeOverride(ctx, params.id),
  notes: async (ctx, { query }) => {
    const canWrite = await mayHandOver(ctx)
    return { ...presentPage(query, await listNotes(ctx, query), (row) => presentNote(ctx, row, canWrite)), canWrite }
  },
  addNote: (ctx, { body }) => note(ctx, addNote(ctx, body.text)),
  readNote: (ctx, { params }) => note(ctx, readNote(ctx, params.id)),
}
