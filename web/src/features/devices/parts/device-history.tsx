import type { Period } from '@isotherm/contract/common.ts'
import type { Device } from '@isotherm/contract/devices.ts'
import type { ReactNode } from 'react'
import type { ChartMark } from '../../../charts/model.ts'
import { useSession } from '../../../lib/session.ts'
import { usePeriod } from '../use-period.ts'
import { PeriodBar } from './period-bar.tsx'
import { PeriodView } from './period-view.tsx'

/** Loads the flags of a chart for a device and a period, and renders its children with them. */
export type MarksSource = (props: {
  deviceId: string
  period: Period
  children: (marks?: readonly ChartMark[]) => ReactNode
}) => ReactNode

/** The period bar, and everything it rules. */
export function DeviceHistory({ device, Marks }: { device: Device; Marks: MarksSource }) {
  const zone = useSession((state) => state.timezone)
  const { chosen, period, choose, onUse } = usePeriod()
  const periodKey = chosen.preset === 'custom' ? `${period.from} ${period.to}` : chosen.preset
  return (
    <>
      <PeriodBar chosen={chosen} period={period} zone={zone} onChoose={choose} />
      <Marks deviceId={device.id} period={period}>
        {(marks) => <PeriodView device={device} period={period} periodKey={periodKey} marks={marks} onUse={onUse} />}
      </Marks>
    </>
  )
}
