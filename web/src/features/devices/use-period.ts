import type { Period } from '@isotherm/contract/common.ts'
import { useCallback, useMemo } from 'react'
import { useNow } from '../../lib/now.ts'
import { type Preset, periodOf } from '../../lib/periods.ts'
import { useUrlSearch } from '../../lib/url-search.ts'
import { type Chosen, chosenOf, searchOf } from './period-search.ts'

/** A period that ends now is rounded up to this, so that its answers stay cached while new readings come in. */
const slotMs = 300_000

/** The period in the URL. Presets move on with the clock. */
export function usePeriod(fallback: Preset = '24h'): {
  chosen: Chosen
  period: Period
  choose: (next: Chosen) => void
  /** Chooses what a chart shows while it is zoomed; "back" undoes it. */
  onUse: (period: Period) => void
} {
  const { search, change } = useUrlSearch()
  const slot = Math.ceil(useNow() / slotMs)
  const chosen = useMemo(() => chosenOf(search, fallback), [search, fallback])
  const period = useMemo(
    () => (chosen.preset === 'custom' ? chosen.period : periodOf(chosen.preset, slot * slotMs)),
    [chosen, slot],
  )
  const choose = useCallback((next: Chosen) => change(searchOf(next)), [change])
  const onUse = useCallback(
    (next: Period) => change(searchOf({ preset: 'custom', period: next }), { isStep: true }),
    [change],
  )
  return { chosen, period, choose, onUse }
}
