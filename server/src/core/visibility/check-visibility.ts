import type { Context } from '../../platform/context.ts'
import { invalidField } from '../../platform/errors/app-error.ts'
import { seesPrivate } from './visibility.ts'

type Visibility = 'private' | 'public'

/** Only an Admin makes something private, or public again: throws VALIDATION where somebody else would. */
export function checkVisibility(ctx: Pick<Context, 'person'>, before: Visibility, after: Visibility | undefined): void {
  if (after === undefined || after === before || seesPrivate(ctx.person)) return
  throw invalidField('visibility', 'rule.adminsOnly')
}
