import {
  type BulkUpload,
  bulkLimits,
  type DateOrder,
  type orderUploads,
  type shipmentUploads,
} from '@isotherm/contract/bulk-uploads.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/call.ts'
import { isCallError } from '../../lib/call-error.ts'
import { newRequestId } from '../../lib/request-id.ts'
import { toastError } from '../../lib/toast.ts'

export type UploadCalls = typeof shipmentUploads | typeof orderUploads

interface ReadBy {
  order: DateOrder
  /** Merged cells count for each of their rows. */
  fills: boolean
}

const askEveryMs = 700

/** Whether its rows are still being read. */
export const isUnderWay = ({ state }: BulkUpload): boolean => state === 'waiting' || state === 'working'

/** The chosen file, and what the server says of it. `sent` is the share of the file that is on its way; null while none is. */
export function useUpload(calls: UploadCalls, onStored: () => void) {
  const { t } = useTranslation('bulkUploads')
  const [file, setFile] = useState<File | null>(null)
  const [dateOrder, setDateOrder] = useState<DateOrder>('iso')
  const [fillsMerged, setFillsMerged] = useState(false)
  const [upload, setUpload] = useState<BulkUpload | null>(null)
  const [faults, setFaults] = useState<string[]>([])
  const [sent, setSent] = useState<number | null>(null)
  const run = useRef(0)
  useEffect(() => () => void run.current++, [])

  const send = async (chosen: File, by: ReadBy, isDryRun: boolean) => {
    const own = ++run.current
    const isOld = () => run.current !== own
    setFaults([])
    setUpload(null)
    setSent(0)
    const asked = { query: { dryRun: isDryRun ? ('true' as const) : ('false' as const) } }
    try {
      const key = newRequestId()
      const onProgress = (share: number) => isOld() || setSent(share)
      const { order: dateOrder, fills } = by
      const body = { file: chosen, dateOrder, fillMerged: fills ? ('true' as const) : ('false' as const) }
      let told = await call(calls.upload, { ...asked, body }, { key, onProgress })
      for (;;) {
        if (isOld()) return
        setSent(null)
        setUpload(told)
        if (!isUnderWay(told)) break
        await new Promise((resolve) => setTimeout(resolve, askEveryMs))
        if (isOld()) return
        told = await call(calls.one, { params: { id: told.id } }, { toastAll: true })
      }
      if (told.state === 'stored') onStored()
    } catch (error) {
      if (isOld()) return
      setUpload(null)
      // Other failures have been toasted.
      if (isCallError(error) && error.status === 422) setFaults(error.fields.file ?? error.messages)
    } finally {
      if (!isOld()) setSent(null)
    }
  }
  const readBy = { order: dateOrder, fills: fillsMerged }
  const take = (chosen: File) => {
    if (chosen.size > bulkLimits.bytes) return toastError(t('tooLarge'))
    setFile(chosen)
    void send(chosen, readBy, true)
  }
  return {
    ...{ file, dateOrder, fillsMerged, upload, faults, sent, take },
    isBusy: sent !== null || (upload !== null && isUnderWay(upload)),
    /** The same file, read by another order of dates. */
    orderDates(order: DateOrder) {
      setDateOrder(order)
      if (file) void send(file, { ...readBy, order }, true)
    },
    /** The same file, with merged cells filled down or refused. */
    fillMerged(fills: boolean) {
      setFillsMerged(fills)
      if (file) void send(file, { ...readBy, fills }, true)
    },
    apply: () => file && void send(file, readBy, false),
  }
}
