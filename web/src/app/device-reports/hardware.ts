import type { Period } from '@isotherm/contract/common.ts'
import type { HardwarePeriod } from '@isotherm/contract/device-life.ts'

/** Those of a device's hardware that measured for it in a period, the first one first: as the file lists them. */
export function inPeriod(hardware: readonly HardwarePeriod[], period: Period): HardwarePeriod[] {
  const [from, to] = [Date.parse(period.from), Date.parse(period.to)]
  return hardware
    .filter((one) => Date.parse(one.from) <= to && (one.to === null || Date.parse(one.to) > from))
    .sort((a, b) => Date.parse(a.from) - Date.parse(b.from))
}
