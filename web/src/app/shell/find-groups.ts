import { groups } from '@isotherm/contract/groups.ts'
import { call } from '../../lib/call.ts'
import type { PaletteSource } from './palette-source.ts'

/** Groups by name, for the command palette. */
export const groupSource: PaletteSource = {
  title: 'palette.groups',
  needs: 'groups.view',
  find: async (text, signal) => {
    const { data } = await call(groups.list, { query: { search: text, perPage: 5 } }, { signal })
    return data.map(({ id, name }) => ({ id: `group-${id}`, label: name, to: `/groups/${id}/overview` }))
  },
}
