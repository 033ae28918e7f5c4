import { billing } from '@isotherm/contract/billing.ts'
import { useCall } from '../../lib/query.ts'
import { useUrlSearch } from '../../lib/url-search.ts'

/** The payment that the URL names, which the person comes back from, and the others that are open. */
export function usePayments() {
  const { search, change } = useUrlSearch()
  const named = typeof search.payment === 'string' && /^[1-9]\d{0,17}$/.test(search.payment) ? search.payment : null
  const open = useCall(billing.openPayments)
  const others = (open.data ?? []).filter(({ id }) => id !== named)
  return { named, others, show: (id: string | undefined) => change({ payment: id }) }
}
