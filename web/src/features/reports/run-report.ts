import { type Report, reports } from '@isotherm/contract/reports.ts'
import { call } from '../../lib/call.ts'
import { i18n } from '../../lib/i18n.ts'
import { refetchCalls } from '../../lib/query.ts'
import { toastSuccess } from '../../lib/toast.ts'

/** Runs a report now; what it comes to is seen among its runs. */
export async function runReport({ id }: Report): Promise<void> {
  try {
    await call(reports.run, { params: { id } }, { toastAll: true })
    toastSuccess(i18n.t('reports:runToast'))
    await refetchCalls(reports.runs, reports.list)
  } catch {
    // The call has toasted it.
  }
}
