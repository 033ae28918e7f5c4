import { useLayoutEffect } from 'react'
import { holdToasts } from '../lib/toast.ts'

/** Toasts of success are shown once this is false, or once the dialog is closed. */
export const useHeldToasts = (isBusy: boolean) => useLayoutEffect(() => (isBusy ? holdToasts() : undefined), [isBusy])
