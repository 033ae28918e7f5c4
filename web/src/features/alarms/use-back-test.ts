import { alarms } from '@isotherm/contract/alarms.ts'
import type { BackTest, BackTestQuestion } from '@isotherm/contract/back-test.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

/** Firings that are listed, newest first. */
const maxFirings = 200

/** Adds two stretches of one back-test. */
export const together = (sum: BackTest, next: BackTest): BackTest => ({
  ...next,
  from: sum.from,
  to: sum.to,
  devices: Math.max(sum.devices, next.devices),
  count: sum.count + next.count,
  firings: [...sum.firings, ...next.firings]
    .sort((a, b) => Date.parse(b.openedAt) - Date.parse(a.openedAt))
    .slice(0, maxFirings),
  smsUnits: sum.smsUnits + next.smsUnits,
  chatUnits: sum.chatUnits + next.chatUnits,
  mails: sum.mails + next.mails,
})

/** Asks what a rule would have done, stretch by stretch; what is known so far is shown meanwhile. Null asks nothing. */
export function useBackTest(question: BackTestQuestion | null) {
  return useQuery({
    queryKey: [alarms.backTest.path, question],
    enabled: question !== null,
    staleTime: 300_000,
    retry: 1,
    queryFn: async ({ signal, client, queryKey }) => {
      if (!question) throw new Error('nothing to ask')
      let sum: BackTest | null = null
      let cursor: string | undefined
      do {
        const next: BackTest = await call(alarms.backTest, { body: { ...question, cursor } }, { signal })
        sum = sum ? together(sum, next) : next
        cursor = next.cursor ?? undefined
        if (cursor) client.setQueryData(queryKey, sum)
      } while (cursor)
      return sum
    },
  })
}
