import { billing, type Payment } from '@isotherm/contract/billing.ts'
import { plans } from '@isotherm/contract/plans.ts'
import { subscription } from '@isotherm/contract/subscription.ts'
import { wallet } from '@isotherm/contract/wallet.ts'
import { useEffect, useEffectEvent } from 'react'
import { call } from '../../lib/call.ts'
import { useCan } from '../../lib/can.ts'
import { refreshProfile } from '../../lib/profile.ts'
import { refetchCalls, useCall } from '../../lib/query.ts'

const soonMs = 3_000
const laterMs = 15_000
/** So long after it was begun a payment is looked at often. */
const soonForMs = 5 * 60_000

export const isWaiting = ({ state }: Payment): boolean => state === 'action' || state === 'checking'

/** A transfer takes days, and the operator sees it first. */
const transferMs = 60_000

const paceOf = ({ createdAt, transfer }: Payment) =>
  transfer ? transferMs : Date.now() - Date.parse(createdAt) < soonForMs ? soonMs : laterMs

/** A payment, which has the provider asked while it is open, and then what was bought is shown. */
export function usePayment(id: string) {
  const mayCheck = useCan('payments.addOrEdit')
  const answer = useCall(billing.payment, { params: { id } })
  const { data, dataUpdatedAt } = answer
  const waits = data !== undefined && isWaiting(data)
  const look = useEffectEvent(async () => {
    // Without an answer it is looked at again: nothing is known by now.
    if (mayCheck && !data?.transfer) await call(billing.checkPayment, { params: { id } }).catch(() => undefined)
    await refetchCalls(billing.payment)
  })
  const showBought = useEffectEvent(() => {
    void refetchCalls(wallet.balances, wallet.overview, wallet.overviewOf, wallet.transactions, billing.invoices)
    if (!data?.plan) return
    void refetchCalls(plans.subscriptions, plans.devices, plans.searchDevices, plans.unlicensed)
    void refetchCalls(subscription.entitlement)
    void refetchCalls(subscription.licences)
    void refreshProfile()
  })
  const isPaid = data?.state === 'succeeded'
  useEffect(() => {
    if (isPaid) showBought()
  }, [isPaid])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once more after each answer
  useEffect(() => {
    if (!waits || !data) return
    const timer = setTimeout(() => void look(), paceOf(data))
    return () => clearTimeout(timer)
  }, [waits, dataUpdatedAt])
  useEffect(() => {
    if (waits) void look()
  }, [waits])
  return answer
}
