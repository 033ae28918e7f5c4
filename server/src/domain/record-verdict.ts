import type { StatsOfDevice, Verdict } from '@isotherm/contract/stats.ts'

const worstFirst: readonly Verdict[] = ['outOfRange', 'incomplete', 'noData', 'noLimits', 'inRange']

/** `noLimits` of one measure says nothing where another has limits. */
function worst(verdicts: readonly Verdict[]): Verdict {
  const judged = verdicts.filter((verdict) => verdict !== 'noLimits')
  return worstFirst.find((verdict) => (judged.length > 0 ? judged : verdicts).includes(verdict)) ?? 'noData'
}

/** The verdict of a device, by measures that were measured or have limits; humidity that was never measured does not count. */
const verdictOfDevice = ({ temperature, humidity }: StatsOfDevice): Verdict =>
  worst(
    humidity.count === 0 && humidity.verdict === 'noData'
      ? [temperature.verdict]
      : [temperature.verdict, humidity.verdict],
  )

/** The worst verdict of a record's devices. One without limits among devices in range is a gap in the evidence. */
export function verdictOfRecord(devices: readonly StatsOfDevice[]): Verdict {
  const verdicts = devices.map(verdictOfDevice)
  const verdict = worst(verdicts)
  return verdict === 'inRange' && verdicts.includes('noLimits') ? 'incomplete' : verdict
}

/** Whether devices that are incomplete together were silent for a time, or one of them has no limits. */
export const gapOfRecord = (devices: readonly StatsOfDevice[]): 'silent' | 'noLimits' =>
  devices.map(verdictOfDevice).includes('incomplete') ? 'silent' : 'noLimits'
