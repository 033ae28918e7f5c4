import { useEffect } from 'react'
import type { CallError } from '../../lib/call-error.ts'
import { toastError } from '../../lib/toast.ts'

/** The values that a dialog begins with, once they are read. Where they can't be read, a toast says why, and the dialog is closed before it opened. */
export function useReadToOpen<T>(read: { data: T | undefined; error: CallError | null }, onClose: () => void) {
  const { data, error } = read
  const reason = data === undefined ? error?.message : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each failure, whichever function closes.
  useEffect(() => {
    if (reason === undefined) return
    toastError(reason)
    onClose()
  }, [reason])
  return data
}
