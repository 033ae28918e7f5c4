import type { Context } from '../../platform/http/context.ts'

/** Recipients may acknowledge; to resolve needs the permission. */
export const mayHandle = (
  ctx: Pick<Context, 'can'>,
  trigger: { is_recipient: boolean },
  action: 'acknowledge' | 'resolve',
): boolean => ctx.can('alarms.addOrEdit') || (action === 'acknowledge' && trigger.is_recipient)
