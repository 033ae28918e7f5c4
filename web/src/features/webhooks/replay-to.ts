import { type Replay, webhooks } from '@isotherm/contract/webhooks.ts'
import type { TFunction } from 'i18next'
import type { z } from 'zod'
import { call } from '../../lib/call.ts'
import { toastInfo, toastSuccess } from '../../lib/toast.ts'
import { refetchWebhooks } from './refetch.ts'

/** Has messages sent again, and says how many. */
export async function replayTo(t: TFunction<'webhooks'>, id: string, body: z.input<typeof Replay>): Promise<void> {
  const { count, isCut } = await call(webhooks.replay, { params: { id }, body })
  void refetchWebhooks()
  if (count === 0) toastInfo(t('done.nothing'))
  else toastSuccess([t('done.replayed', { count }), ...(isCut ? [t('done.cut')] : [])].join(' '))
}
