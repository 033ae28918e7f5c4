import type { MapSourceDataEvent } from '@vis.gl/react-maplibre'
import { useState } from 'react'
import { ONLINE } from './map-style.ts'

/** Whether the chosen online tiles fail to arrive; the first that arrives takes it back. */
export function useOnlineState(url: string | undefined) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  return {
    unreachable: url !== undefined && failedUrl === url,
    onError: (event: object) => {
      if ('sourceId' in event && event.sourceId === ONLINE) setFailedUrl(url ?? null)
    },
    onSourceData: ({ sourceId, tile }: MapSourceDataEvent) => {
      if (sourceId === ONLINE && tile?.state === 'loaded') setFailedUrl(null)
    },
  }
}
