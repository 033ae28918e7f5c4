import type { ReportContent } from './content.ts'

/** The readings of the device, and the evidence: nothing that differs between two issues of the same data. */
export function measuredOf({ deviceId, hardware, period, until, rules, limits, stats, excursions }: ReportContent) {
  // Neither names nor what people say: both are told, and differ between issues of the same data.
  const told = excursions.map(({ deviceName: _, annotations: __, ...excursion }) => excursion)
  const evidence = { deviceId, hardware, period, limits, stats, excursions: told }
  return { deviceId, from: Date.parse(period.from), until, rules, evidence }
}
