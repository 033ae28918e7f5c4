import type { Context } from '../../platform/context.ts'

/** The address of a webhook as a person may see it: whole for who edits alarms, else its host. Its path is a secret. */
export const shownWebhook = ({ can }: Pick<Context, 'can'>, url: string): string =>
  can('alarms.addOrEdit') ? url : (URL.parse(url)?.host ?? '')
