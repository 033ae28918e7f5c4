import { alarms } from '@isotherm/contract/alarms.ts'
import type { Guard } from '@isotherm/contract/call.ts'
import { devices } from '@isotherm/contract/devices.ts'
import { groups } from '@isotherm/contract/groups.ts'
import { places } from '@isotherm/contract/places.ts'
import { records } from '@isotherm/contract/records.ts'
import { reports } from '@isotherm/contract/reports.ts'
import { users } from '@isotherm/contract/users.ts'
import { call } from '../../lib/call.ts'
import type { PaletteItem } from './palette-items.ts'

/** Finds things by what is typed. `title` is a key of namespace `shell`. */
export interface PaletteSource {
  title: string
  needs: Guard
  find: (text: string, signal: AbortSignal) => Promise<PaletteItem[]>
}

const few = (search: string) => ({ query: { search, perPage: 5 } })
const byName = (path: string, name: string) => `${path}?search=${encodeURIComponent(name)}`

/** The kinds of things that the palette finds, in the order in which it shows them. */
export const paletteSources: PaletteSource[] = [
  {
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
  },
  {
    title: 'palette.groups',
    needs: 'groups.view',
    find: async (text, signal) => {
      const { data } = await call(groups.list, few(text), { signal })
      return data.map(({ id, name }) => ({ id: `group-${id}`, label: name, to: `/groups/${id}/overview` }))
    },
  },
  {
    title: 'nav.alarms',
    needs: 'alarms.view',
    find: async (text, signal) => {
      const { data } = await call(alarms.list, few(text), { signal })
      return data.map(({ id, name }) => ({ id: `alarm-${id}`, label: name, to: `/alarms/${id}/details` }))
    },
  },
  {
    title: 'palette.records',
    needs: 'devices.view',
    find: async (text, signal) => {
      const { data } = await call(records.list, few(text), { signal })
      return data.map(({ id, name, lot }) => ({
        id: `record-${id}`,
        label: name,
        description: lot ?? undefined,
        to: `/records/${id}`,
      }))
    },
  },
  {
    title: 'palette.reports',
    needs: 'reports.view',
    find: async (text, signal) => {
      const { data } = await call(reports.list, few(text), { signal })
      return data.map(({ id, name }) => ({ id: `report-${id}`, label: name, to: byName('/reports', name) }))
    },
  },
  {
    title: 'palette.people',
    needs: 'users.view',
    find: async (text, signal) => {
      const { data } = await call(users.list, few(text), { signal })
      return data.map(({ id, fullname, email }) => ({
        id: `user-${id}`,
        label: fullname,
        description: email,
        to: byName('/users/all-users', email),
      }))
    },
  },
  {
    title: 'palette.places',
    needs: 'devices.view',
    find: async (text, signal) => {
      const [fences, points] = await Promise.all([
        call(places.geofences, few(text), { signal }),
        call(places.pointsOfInterest, few(text), { signal }),
      ])
      const item = (kind: 'geofence' | 'point') => (place: { id: string; name: string }) => ({
        id: `${kind}-${place.id}`,
        label: place.name,
        to: `/maps?place=${kind}-${place.id}`,
      })
      return [...fences.data.map(item('geofence')), ...points.data.map(item('point'))]
    },
  },
]
