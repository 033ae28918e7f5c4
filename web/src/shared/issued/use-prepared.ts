import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isCallError, mayPass } from '../../lib/call-error.ts'
import { download } from '../../lib/download.ts'
import { refetchCalls } from '../../lib/query.ts'
import { toastError, toastSuccess } from '../../lib/toast.ts'
import { type Issue, type IssuedKind, isUnderWay, type ReportChoice } from './issued-kind.ts'

const askEveryMs = 700
/** Questions in a row that may fail on a bad line; the report is built meanwhile. */
const maxFailures = 30

/**
 * Has a report built, waits for it and saves it as a file; `progress` is how much of it is written (percent), null while none is. Who leaves the
 * screen finds the report in the list.
 */
export function usePrepared<R extends Issue>(kind: IssuedKind<R>) {
  const { t } = useTranslation('issued')
  const [progress, setProgress] = useState<number | null>(null)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])

  const build = async (choice: ReportChoice): Promise<R | null> => {
    let report = await kind.order(choice, [])
    void refetchCalls(kind.list)
    for (let failures = 0; isUnderWay(report); ) {
      await new Promise((resolve) => setTimeout(resolve, askEveryMs))
      if (isGone.current) return null
      try {
        report = await kind.one(report)
        failures = 0
        setProgress(report.progress)
      } catch (error) {
        failures += 1
        if (mayPass(error) && failures < maxFailures) continue
        if (isCallError(error)) toastError(error.message)
        throw error
      }
    }
    return report
  }

  const prepare = async (choice: ReportChoice) => {
    setProgress(0)
    try {
      const report = await build(choice)
      if (!report) return
      if (report.failure) return toastError(kind.failure(report.failure))
      download(await kind.load(report), kind.fileName(report, choice))
      toastSuccess(t('downloaded'))
    } catch {
      // It has been toasted.
    } finally {
      setProgress(null)
      void refetchCalls(kind.list)
    }
  }
  return { progress, prepare }
}
