import { alarms } from '@isotherm/contract/alarms.ts'
import { triage } from '@isotherm/contract/triage.ts'
import type { Trigger, TriggersChanged } from '@isotherm/contract/triggers.ts'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, deadLineMs } from '../../lib/call.ts'
import { isCallError } from '../../lib/call-error.ts'
import { refetchCalls } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { toastError, toastResult, toastSuccess } from '../../lib/toast.ts'

export const refetchTriggers = () =>
  refetchCalls(alarms.triggers, alarms.triggersOf, alarms.trigger, triage.comments, alarms.list, alarms.one)

/** 400 and 422 have toasted already; the rest would otherwise pass unnoticed. */
const sayFailure = (error: unknown) => {
  if (isCallError(error) && ![400, 401, 403, 422].includes(error.status)) toastError(error.message)
}

type Rest = ((done: string | null) => string) | null

/** How many of a bulk stayed as they were; alone, or after what was done. */
export const unchangedOf = (t: TFunction<'alarms'>, count: number): Rest =>
  count > 0 ? (done) => (done ? t('done.unchangedAfter', { done, count }) : t('done.unchanged', { count })) : null

const unassignedOf = (t: TFunction<'alarms'>, count: number): Rest =>
  count > 0 ? (done) => (done ? t('done.unassignedAfter', { done, count }) : t('done.unassigned', { count })) : null

/** Acknowledging, at once; `busy` are the triggers that are on their way. */
export function useAcknowledge() {
  const { t } = useTranslation('alarms')
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set())
  const acknowledge = async (trigger: Pick<Trigger, 'id'>) => {
    setBusy((before) => new Set(before).add(trigger.id))
    try {
      // A second one changes nothing.
      await call(alarms.acknowledge, { params: { id: trigger.id }, body: {} }, { patienceMs: deadLineMs })
      toastSuccess(t('done.acknowledged'))
    } catch (error) {
      sayFailure(error)
    } finally {
      await refetchTriggers()
      setBusy((before) => new Set([...before].filter((id) => id !== trigger.id)))
    }
  }
  const acknowledgeAll = async (ids: string[]) => {
    try {
      const { changed, unchanged } = await call(alarms.bulk, { body: { ids, action: 'acknowledge' } })
      toastResult(
        changed.length > 0 ? t('done.acknowledgedCount', { count: changed.length }) : null,
        unchangedOf(t, unchanged.length),
      )
    } catch (error) {
      sayFailure(error)
    } finally {
      await refetchTriggers()
    }
  }
  return { acknowledge, acknowledgeAll, busy }
}

/** Saying who looks after triggers; null: nobody. */
export function useAssign() {
  const { t } = useTranslation('alarms')
  const own = useSession((state) => state.profile?.id)
  const [isBusy, setBusy] = useState(false)
  /** Resolves with what changed. */
  const send = async (ids: string[], userId: string | null): Promise<TriggersChanged & { isOwn: boolean }> => {
    const [only] = ids
    const isOwn = userId === own
    if (ids.length > 1 || only === undefined)
      return { ...(await call(triage.assignMany, { body: { ids, userId } })), isOwn }
    await call(triage.assign, { params: { id: only }, body: { userId } })
    return { changed: ids, unchanged: [], isOwn }
  }
  const sayDone = ({ changed, unchanged, isOwn }: Awaited<ReturnType<typeof send>>) => {
    const done = () => (isOwn && changed.length === 1 ? t('done.taken') : t('done.assigned', { count: changed.length }))
    toastResult(changed.length > 0 ? done() : null, unassignedOf(t, unchanged.length))
    void refetchTriggers()
  }
  const assign = async (ids: string[], userId: string | null) => {
    setBusy(true)
    try {
      sayDone(await send(ids, userId))
    } catch (error) {
      sayFailure(error)
      await refetchTriggers()
    } finally {
      setBusy(false)
    }
  }
  return { assign, send, sayDone, isBusy }
}
