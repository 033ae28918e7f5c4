import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { isInRota, type NoteRow } from './note-queries.ts'

/** Whether a person writes hand-over notes, and says that they have read one: with addOrEdit, or in a rota. */
export const mayHandOver = async (ctx: Context): Promise<boolean> => ctx.can('alarms.addOrEdit') || isInRota(ctx)

/** Throws NOT_ON_CALL. */
export async function refuseOthers(ctx: Context): Promise<void> {
  if (!(await mayHandOver(ctx))) throw new AppError('NOT_ON_CALL')
}

/** Whether it is news to a person: another one's note that nobody has read. */
export const isNews = ({ person }: Pick<Context, 'person'>, { by_id, read_at }: NoteRow): boolean =>
  read_at === null && by_id !== person.id
