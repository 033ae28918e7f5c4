import type { Context } from '../http/context.ts'

/** Its path is a secret of whoever set it up. */
export function hostOnly(url: string): string {
  return URL.parse(url)?.host ?? ''
}

/** The address of a webhook as a person may see it: whole for who edits alarms, else its host. */
export const shownWebhook = ({ can }: Pick<Context, 'can'>, url: string): string =>
  can('alarms.addOrEdit') ? url : hostOnly(url)
