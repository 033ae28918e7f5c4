import { Stack } from '@mantine/core'
import { DeviceFrame } from '../../features/devices/parts/device-frame.tsx'
import { PeriodBar } from '../../features/devices/parts/period-bar.tsx'
import { usePeriod } from '../../features/devices/use-period.ts'
import { DeviceExcursions } from '../../features/excursions/parts/device-excursions.tsx'
import { useSession } from '../../lib/session.ts'

/** The excursions of a device, under its title, tabs and period bar. Rare things: a month is shown at first. */
export function DeviceExcursionsPage() {
  const zone = useSession((state) => state.timezone)
  const { chosen, period, choose } = usePeriod('30d')
  return (
    <DeviceFrame>
      {(device) => (
        <Stack gap="sm">
          <PeriodBar chosen={chosen} period={period} zone={zone} onChoose={choose} />
          <DeviceExcursions key={device.id} device={device} period={period} />
        </Stack>
      )}
    </DeviceFrame>
  )
}
