import { type Report, reports } from '@isotherm/contract/reports.ts'
import { call } from '../../lib/call.ts'
import { i18n } from '../../lib/i18n.ts'
import { refetchCalls } from '../../lib/query.ts'
import { toastSuccess } from '../../lib/toast.ts'

/** Pauses a report, or lets one that is paused go on. */
export async function pauseReport({ id, paused }: Report): Promise<void> {
  try {
    await call(reports.change, { params: { id }, body: { paused: !paused } }, { toastAll: true })
    toastSuccess(i18n.t(paused ? 'reports:resumedToast' : 'reports:pausedToast'))
    await refetchCalls(reports.list)
  } catch {
    // The call has toasted it.
  }
}
