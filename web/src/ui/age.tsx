import { Tooltip } from '@mantine/core'
import { useNow } from '../lib/now.ts'
import { formatAge, formatExactTime } from '../lib/times.ts'
import { Value } from './value.tsx'

/** "2 min ago", the exact time with its zone on hover; `reason` says why there is no time. */
export function Age({ at, reason }: { at: string | number | null | undefined; reason?: string }) {
  const now = useNow()
  if (at === null || at === undefined) return <Value value={null} unit="" reason={reason} />
  const moment = new Date(at)
  return (
    <Tooltip label={formatExactTime(moment)}>
      <time dateTime={moment.toISOString()} style={{ whiteSpace: 'nowrap' }}>
        {formatAge(now - moment.getTime())}
      </time>
    </Tooltip>
  )
}
