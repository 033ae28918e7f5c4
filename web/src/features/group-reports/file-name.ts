import type { GroupReport } from '@isotherm/contract/group-reports.ts'

export const fileNameOf = ({ groupId, period, format }: GroupReport): string =>
  `isotherm-group-${groupId}-${period.from.slice(0, 10)}-${period.to.slice(0, 10)}.${format}`
