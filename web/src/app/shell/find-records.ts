import { records } from '@isotherm/contract/records.ts'
import { call } from '../../lib/call.ts'
import type { PaletteSource } from './palette-source.ts'

/** Records by name or lot, for the command palette. */
export const recordSource: PaletteSource = {
  title: 'palette.records',
  needs: 'devices.view',
  find: async (text, signal) => {
    const { data } = await call(records.list, { query: { search: text, perPage: 5 } }, { signal })
    return data.map(({ id, name, lot }) => ({
      id: `record-${id}`,
      label: name,
      description: lot ?? undefined,
      to: `/records/${id}`,
    }))
  },
}
