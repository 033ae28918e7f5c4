import { reports } from '@isotherm/contract/reports.ts'
import { call } from '../../lib/call.ts'
import type { PaletteSource } from './palette-source.ts'

/** Scheduled reports by name, for the command palette. */
export const reportSource: PaletteSource = {
  title: 'palette.reports',
  needs: 'reports.view',
  find: async (text, signal) => {
    const { data } = await call(reports.list, { query: { search: text, perPage: 5 } }, { signal })
    return data.map(({ id, name }) => ({
      id: `report-${id}`,
      label: name,
      to: `/reports?search=${encodeURIComponent(name)}`,
    }))
  },
}
