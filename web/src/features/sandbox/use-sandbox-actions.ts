import { sandbox } from '@isotherm/contract/sandbox.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/call.ts'
import { refetchCalls } from '../../lib/query.ts'
import { openSandboxTab } from '../../lib/sandbox-tab.ts'
import { toastSuccess } from '../../lib/toast.ts'
import { confirm } from '../../ui/confirm.ts'

/** Making, opening and ending the sandbox. Failed calls tell by themselves what went wrong. */
export function useSandboxActions() {
  const { t } = useTranslation('sandbox')
  const [isBusy, setBusy] = useState(false)
  /** A session whose tab the browser did not open. */
  const [waiting, setWaiting] = useState<string | null>(null)
  const run = (work: () => Promise<void>) => {
    setBusy(true)
    void work()
      .catch(() => undefined)
      .finally(() => setBusy(false))
  }
  const show = (token: string) => setWaiting(openSandboxTab(token) ? null : token)
  const make = () =>
    run(async () => {
      await call(sandbox.make, undefined, { toastAll: true }).finally(() => refetchCalls(sandbox.show))
      toastSuccess(t('made'))
    })
  const open = () => run(async () => show((await call(sandbox.open, undefined, { toastAll: true })).accessToken))
  const end = () =>
    confirm({
      title: t('endTitle'),
      text: t('endText'),
      action: t('end'),
      destructive: true,
      run: async () => {
        await call(sandbox.end)
        setWaiting(null)
        toastSuccess(t('ended'))
        await refetchCalls(sandbox.show)
      },
    })
  return { isBusy, make, open, end, openTab: waiting === null ? null : () => show(waiting) }
}
