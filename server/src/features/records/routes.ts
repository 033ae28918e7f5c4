import { done } from '@isotherm/contract/common.ts'
import type { records } from '@isotherm/contract/records.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { addNote, attach, readAttachment, removeAttachment, removeNote } from './papers.ts'
import { listRecords, presentOne, recordDetails, recordStats, type StatsSource } from './read.ts'
import { findRecord } from './scope.ts'
import { signRecord } from './sign.ts'
import { addRecord, endRecord, removeRecord, startRecord } from './verbs.ts'

export interface RecordParts {
  stats: StatsSource
}

export const recordHandlers = ({ stats }: RecordParts): Handlers<typeof records> => ({
  list: (ctx, { query }) => listRecords(ctx, query, null),
  add: async (ctx, { body }) => presentOne(ctx, await addRecord(ctx, body)),
  one: (ctx, { params }) => recordDetails(ctx, params.id),
  async remove(ctx, { params }) {
    await removeRecord(ctx, params.id)
    return done
  },
  async start(ctx, { params }) {
    await startRecord(ctx, params.id)
    return presentOne(ctx, params.id)
  },
  async end(ctx, { params }) {
    await endRecord(ctx, params.id)
    return presentOne(ctx, params.id)
  },
  stats: async (ctx, { params }) => recordStats(ctx, stats, await findRecord(ctx, params.id)),
  sign: (ctx, { params, body }) => signRecord(ctx, params.id, body),
  addNote: (ctx, { params, body }) => addNote(ctx, params.id, body.text),
  async removeNote(ctx, { params }) {
    await removeNote(ctx, params.id)
    return done
  },
  attach: (ctx, { params, body }) => attach(ctx, params.id, body),
  attachment: (ctx, { params }) => readAttachment(ctx, params.id),
  async removeAttachment(ctx, { params }) {
    await removeAttachment(ctx, params.id)
    return done
  },
})
