import { type Device, type DeviceStatus, deviceStatuses } from '@isotherm/contract/devices.ts'
import type { GroupOverview } from '@isotherm/contract/groups.ts'
import { memberOf, presentGroup } from './present.ts'
import type { CountedGroup } from './queries.ts'

const heard = ({ status }: Device) => status === 'live' || status === 'late'
const silent = ({ status }: Device) => status === 'late' || status === 'offline'
const isOut = (device: Device) => device.excursionSince !== null && heard(device)

/** 0 for what is out of range, 1 for what is silent, 2 for the rest. */
const rank = (device: Device) => (isOut(device) ? 0 : silent(device) ? 1 : 2)
const since = (device: Device) =>
  isOut(device) ? (device.excursionSince ?? '') : silent(device) ? (device.latest?.measuredAt ?? '') : ''

const worstFirst = (a: Device, b: Device) =>
  rank(a) - rank(b) || since(a).localeCompare(since(b)) || a.name.localeCompare(b.name)

export function overviewOf(group: CountedGroup, devices: readonly Device[]): GroupOverview {
  const count = (is: (device: Device) => boolean) => devices.filter(is).length
  return {
    group: presentGroup(group),
    byStatus: Object.fromEntries(
      deviceStatuses.map((status) => [status, count((device) => device.status === status)]),
    ) as Record<DeviceStatus, number>,
    inRange: count((device) => heard(device) && !isOut(device)),
    outOfRange: count(isOut),
    silent: count(silent),
    devices: [...devices].sort(worstFirst).map(memberOf),
  }
}
