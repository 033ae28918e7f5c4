import type { BulkKindName } from '@isotherm/contract/bulk-uploads.ts'
import type { Permission } from '@isotherm/contract/permissions.ts'
import type { Context } from '../../platform/context.ts'

/** A kind of thing that files add, on the side that has the database. */
export interface BulkKind<Ask = unknown, Facts = unknown> {
  name: BulkKindName
  needs: Permission
  /** The module whose `rules` are the BulkRules of the kind: they run in a thread of their own. */
  rules: URL
  /** All that the rules asked for, in one query for each question. */
  facts(ctx: Context, ask: Ask): Promise<Facts>
  /** Stores checked things, a JSON list of so many; returns the number of the first where they have numbers. */
  store(ctx: Context, things: string, count: number): Promise<number | null>
  /** As people read a number. */
  showNumber(number: number): string
  /** Tells browsers, after the commit, that there is something new. */
  announce(ctx: Context): void
  /** The column of a unique value that somebody else has taken meanwhile, by the database's error; null: it is another one. */
  takenBy(error: unknown): string | null
  /** The audit entry of a file that was added. */
  audited: string
  /** Names to choose from in a template. */
  names(ctx: Context): Promise<{ kind: string; name: string }[]>
}
