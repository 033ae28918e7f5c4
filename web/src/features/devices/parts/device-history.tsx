import type { Device } from '@isotherm/contract/devices.ts'
import { useSession } from '../../../lib/session.ts'
import { usePeriod } from '../use-period.ts'
import { PeriodBar } from './period-bar.tsx'
import { PeriodView } from './period-view.tsx'

/** The period bar, and everything it rules. */
export function DeviceHistory({ device }: { device: Device }) {
  const zone = useSession((state) => state.timezone)
  const { chosen, period, choose } = usePeriod()
  const periodKey = chosen.preset === 'custom' ? `${period.from} ${period.to}` : chosen.preset
  return (
    <>
      <PeriodBar chosen={chosen} period={period} zone={zone} onChoose={choose} />
      <PeriodView device={device} period={period} periodKey={periodKey} />
    </>
  )
}
