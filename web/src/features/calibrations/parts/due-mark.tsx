import type { DueState } from '@isotherm/contract/calibrations.ts'
import { useTranslation } from 'react-i18next'
import { StateDot } from '../../../ui/state-dot.tsx'

const tones = { valid: 'ok', soon: 'warning', over: 'warm', replaced: 'none' } as const

/** Whether a certificate still holds, by mark and word. */
export function DueMark({ due }: { due: DueState }) {
  const { t } = useTranslation('calibrations')
  return <StateDot tone={tones[due]} hollow={due === 'replaced'} label={t(`due.${due}`)} />
}
