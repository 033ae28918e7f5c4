import { type Device, type DeviceStatus, deviceStatuses } from '@isotherm/contract/devices.ts'
import type { GroupOverview } from '@isotherm/contract/groups.ts'
import type { Worst } from '../../core/devices/worst-queries.ts'
import { memberOf, presentGroup } from './present.ts'
import type { CountedGroup } from './queries.ts'

/** `devices` are those of `ids`, in their order. */
export function overviewOf(
  group: CountedGroup,
  { outOfRange, silent, inRange }: Worst,
  devices: readonly Device[],
): GroupOverview {
  const count = (is: DeviceStatus) => devices.filter(({ status }) => status === is).length
  return {
    group: presentGroup(group),
    byStatus: Object.fromEntries(deviceStatuses.map((status) => [status, count(status)])) as Record<
      DeviceStatus,
      number
    >,
    ...{ inRange, outOfRange, silent },
    devices: devices.map(memberOf),
  }
}
