import { groups } from '@isotherm/contract/groups.ts'
import { refetchCalls } from '../../lib/query.ts'

/** After any change of a group or its members. */
export const refetchGroups = () =>
  refetchCalls(
    groups.list,
    groups.one,
    groups.overview,
    groups.devices,
    groups.users,
    groups.chart,
    groups.temperature,
    groups.stats,
  )
