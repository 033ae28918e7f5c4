import { type Device, type DeviceChange, devices } from '@isotherm/contract/devices.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/call.ts'
import { isCallError } from '../../lib/call-error.ts'
import { named } from '../../lib/named.ts'
import { formatNumber } from '../../lib/numbers.ts'
import { refetchCalls } from '../../lib/query.ts'
import { toastError, toastSuccess } from '../../lib/toast.ts'
import type { Selection } from '../../ui/list/use-selection.ts'
import { changeSeveral, type Outcome } from './change-several.ts'

/** Failed devices that the toast names; all of them stay selected. */
const maxNamed = 3

/** Changes the selected devices one by one and says how it went. `rows` are those on the screen: they tell the names. */
export function useBulkChange(rows: readonly Device[], selection: Selection) {
  const { t } = useTranslation('deviceSelection')
  const [running, setRunning] = useState<{ action: string; done: number; total: number } | null>(null)
  const busy = useRef(false)
  // A selection of an earlier page is not on the screen any more.
  const names = useRef(new Map<string, string>())
  useEffect(() => {
    for (const { id, name } of rows) names.current.set(id, name)
  }, [rows])

  const tell = ({ changed, failed }: Outcome) => {
    if (failed.length === 0) return toastSuccess(t('changed', { count: changed.length }))
    const what = failed.slice(0, maxNamed).map(({ id, error }) => {
      const reason = isCallError(error) ? error.message : t('common:errors.unexpected')
      return named(names.current.get(id) ?? id, reason)
    })
    const counts = { changed: formatNumber(changed.length), failed: formatNumber(failed.length) }
    toastError([t('someFailed', counts), ...what].join(' ') + (failed.length > maxNamed ? ' …' : ''))
  }

  const run = async (action: string, change: DeviceChange) => {
    if (busy.current) return
    busy.current = true
    const ids = [...selection.ids]
    const show = (done: number) => setRunning({ action, done, total: ids.length })
    show(0)
    const send = (id: string) => call(devices.change, { params: { id }, body: change })
    try {
      const outcome = await changeSeveral(ids, send, show)
      if (outcome.loggedOut) return
      await refetchCalls(devices.list, devices.one, devices.summary)
      tell(outcome)
      selection.drop(outcome.changed)
    } finally {
      busy.current = false
      setRunning(null)
    }
  }
  return { running, run }
}
