import { type Alarm, alarms } from '@isotherm/contract/alarms.ts'
import { Id } from '@isotherm/contract/common.ts'
import { useParams } from '@tanstack/react-router'
import { useCall } from '../../lib/query.ts'

export type AlarmAnswer =
  | { state: 'loading' }
  | { state: 'absent' }
  | { state: 'failed'; error: unknown; retry: () => void }
  | { state: 'here'; alarm: Alarm }

/** The alarm in the URL, kept up to date by pushes. */
export function useAlarm(): AlarmAnswer {
  const { alarmId = '' } = useParams({ strict: false }) as { alarmId?: string }
  const isId = Id.safeParse(alarmId).success
  const answer = useCall(alarms.one, { params: { id: alarmId } }, { enabled: isId, refetchMs: 60_000 })
  if (!isId || answer.error?.status === 404) return { state: 'absent' }
  if (answer.data) return { state: 'here', alarm: answer.data }
  if (answer.error) return { state: 'failed', error: answer.error, retry: () => void answer.refetch() }
  return { state: 'loading' }
}
