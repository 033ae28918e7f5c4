import { type Report, reports } from '@isotherm/contract/reports.ts'
import { call } from '../../lib/call.ts'
import { i18n } from '../../lib/i18n.ts'
import { refetchCalls } from '../../lib/query.ts'
import { toastSuccess } from '../../lib/toast.ts'
import { confirm } from '../../ui/confirm.ts'

/** Asks, because it is mailed to all; then runs a report now. What it comes to is seen among its runs. */
export function runReport({ id, name, recipients }: Report, onRun?: () => void) {
  confirm({
    title: i18n.t('reports:runNow.title', { name }),
    text:
      recipients.length > 0
        ? i18n.t('reports:runNow.text', { count: recipients.length })
        : i18n.t('reports:runNow.textNobody'),
    action: i18n.t('reports:actions.run'),
    run: async () => {
      await call(reports.run, { params: { id } })
      toastSuccess(i18n.t('reports:runToast'))
      onRun?.()
      await refetchCalls(reports.runs, reports.list)
    },
  })
}
