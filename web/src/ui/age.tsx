import { Tooltip } from '@mantine/core'
import { useNow, useRealNow } from '../lib/now.ts'
import { formatAge, formatExactTime } from '../lib/times.ts'
import { Value } from './value.tsx'

interface AgeProps {
  at: string | number | null | undefined
  reason?: string
  /** It is of keys, calls or messages, which do not go by the clock of a sandbox. */
  isReal?: true
}

/** "2 min ago", the exact time with its zone on hover; `reason` says why there is no time. */
export function Age({ at, reason, isReal }: AgeProps) {
  const [shown, real] = [useNow(), useRealNow()]
  const now = isReal ? real : shown
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
