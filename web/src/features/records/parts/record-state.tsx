import type { TrackRecord } from '@isotherm/contract/records.ts'
import { useTranslation } from 'react-i18next'
import { StateDot } from '../../../ui/state-dot.tsx'

/** Planned, running, or by what it ended. */
export function RecordState({ record }: { record: Pick<TrackRecord, 'state' | 'endedBy'> }) {
  const { t } = useTranslation('records')
  if (record.state === 'running') return <StateDot tone="ok" label={t('state.running')} />
  const label = record.endedBy ? t(`endedBy.${record.endedBy}`) : t('state.planned')
  return <StateDot tone="none" hollow label={label} />
}

/** The last signature of a record, struck through in words where it is void. */
export function SignatureState({ signature }: { signature: TrackRecord['signature'] }) {
  const { t } = useTranslation('records')
  if (!signature) return null
  if (signature.isVoid) return <StateDot tone="warning" label={t('sign.void')} />
  const tone = signature.meaning === 'rejected' ? 'warm' : 'ok'
  return <StateDot tone={tone} label={t(`sign.meanings.${signature.meaning}`)} />
}
