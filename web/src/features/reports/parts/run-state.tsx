import type { RunState as State } from '@isotherm/contract/reports.ts'
import { Progress } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { StateDot } from '../../../ui/state-dot.tsx'

const tones = { waiting: 'none', ready: 'ok', failed: 'warm', skipped: 'none' } as const

/** How a run stands: a bar while it is built, else a dot and a word. */
export function RunState({ state, progress }: { state: State; progress: number }) {
  const { t } = useTranslation('reports')
  const label = t(`runs.state.${state}`, { progress })
  if (state === 'building') return <Progress value={Math.max(4, progress)} w={110} aria-label={label} />
  return <StateDot tone={tones[state]} label={label} />
}
