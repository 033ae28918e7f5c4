import { z } from 'zod'
import { del, get, post } from './call.ts'
import { Done, Id, text } from './common.ts'

/** One person may keep so many; a view that others share counts for its maker. */
export const maxSavedViews = 50

/** The pattern of a screen's address: "/devices/device-overview", "/groups/$groupId/devices". */
const Screen = z
  .string()
  .max(100)
  .regex(/^(\/\$?[A-Za-z0-9-]+)+$/, 'screen')
const key = z.string().regex(/^[A-Za-z0-9-]{1,40}$/)
const most = (count: number) => (value: object) => Object.keys(value).length <= count

export const NewSavedView = z.strictObject({
  screen: Screen,
  /** A view of the same person and screen by this name is replaced. */
  name: text(60),
  /** The search parameters of the screen. */
  search: z.record(key, z.string().max(200)).refine(most(20)),
  /** Columns that are shown, or not, whatever the width. */
  columns: z.record(key, z.boolean()).refine(most(40)),
  /** Everybody in the company sees it. */
  isShared: z.boolean(),
})

export const SavedView = z.object({
  id: Id,
  name: z.string(),
  search: z.record(z.string(), z.string()),
  columns: z.record(z.string(), z.boolean()),
  isShared: z.boolean(),
  /** The person's own. */
  isOwn: z.boolean(),
  /** The name of the person who made it. */
  by: z.string(),
})
export type SavedView = z.infer<typeof SavedView>

export const savedViews = {
  list: get('/saved-views', {
    needs: 'session',
    summary: 'The saved views of a list: the caller’s own, and those that others of the company share',
    query: z.strictObject({ screen: Screen }),
    returns: z.object({ data: z.array(SavedView) }),
  }),
  save: post('/saved-views', {
    needs: 'session',
    summary: 'Saves filters, order and columns of a list under a name',
    body: NewSavedView,
    returns: SavedView,
  }),
  remove: del('/saved-views/:id', {
    needs: 'session',
    summary: 'Removes a saved view: one’s own, or one that is shared, which belongs to everybody',
    returns: Done,
  }),
}
