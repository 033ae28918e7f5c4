import { devices } from '@isotherm/contract/devices.ts'
import { call } from '../../lib/call.ts'
import type { PaletteSource } from './palette-source.ts'

/** Devices by name, tag or IMEI, for the command palette. */
export const deviceSource: PaletteSource = {
  title: 'palette.devices',
  needs: 'devices.view',
  find: async (text, signal) => {
    const { data } = await call(devices.list, { query: { search: text, perPage: 8 } }, { signal })
    return data.map(({ id, name, tag, imei }) => ({
      id: `device-${id}`,
      label: name,
      description: [tag, imei].filter(Boolean).join(' · '),
      to: `/devices/${id}/details`,
    }))
  },
}
