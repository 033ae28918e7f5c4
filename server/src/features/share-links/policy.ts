import { seesPrivate } from '../../core/visibility/visibility.ts'
import type { Context } from '../../platform/context.ts'
import { invalidField } from '../../platform/errors/app-error.ts'

/** Only an Admin shows private devices to people without a login: throws VALIDATION where somebody else would. */
export function checkShowsPrivate(ctx: Context, showsPrivate: boolean): void {
  if (showsPrivate && !seesPrivate(ctx.person)) throw invalidField('showsPrivate', 'rule.adminsOnly')
}
