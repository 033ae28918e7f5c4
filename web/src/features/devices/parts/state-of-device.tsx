import type { Device } from '@isotherm/contract/devices.ts'
import { useTranslation } from 'react-i18next'
import { StateDot } from '../../../ui/state-dot.tsx'
import { stateOf } from '../device-state.ts'

export function StateOfDevice({ device }: { device: Pick<Device, 'status' | 'judgement'> }) {
  const { t } = useTranslation('devices')
  const { tone, hollow, word } = stateOf(device)
  return <StateDot tone={tone} hollow={hollow} label={t(`state.${word}`)} />
}
