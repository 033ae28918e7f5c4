import type { DeviceFilter, DeviceSummary } from '@isotherm/contract/devices.ts'
import { useTranslation } from 'react-i18next'
import type { FilterChips } from '../../../ui/list/list-toolbar.tsx'

/** Always there; the others only while they have devices, or are chosen by a link. */
const always: DeviceFilter[] = ['inRange', 'outOfRange', 'late', 'offline', 'paused', 'flightMode', 'expired']
const sometimes: DeviceFilter[] = ['awaiting', 'off', 'decommissioned']
const byLink: DeviceFilter[] = ['live', 'silent']

const countOf = (summary: DeviceSummary | undefined, filter: DeviceFilter): number | undefined => {
  if (!summary) return undefined
  if (filter === 'inRange' || filter === 'outOfRange' || filter === 'silent') return summary[filter]
  return summary.byStatus[filter] ?? 0
}

export function useStatusChips(summary: DeviceSummary | undefined, chosen: string | undefined): FilterChips {
  const { t } = useTranslation('devices')
  const shown = [
    ...always,
    ...sometimes.filter((filter) => filter === chosen || (countOf(summary, filter) ?? 0) > 0),
    ...byLink.filter((filter) => filter === chosen),
  ]
  return {
    name: 'status',
    label: t('filter.label'),
    allLabel: t('filter.all'),
    allCount: summary?.total,
    options: shown.map((value) => ({ value, label: t(`filter.${value}`), count: countOf(summary, value) })),
  }
}
