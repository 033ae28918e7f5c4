import type { Device } from '@isotherm/contract/devices.ts'
import type { LiveDevice, LiveExcursion, LiveReading } from '@isotherm/contract/live.ts'
import type { Meta } from '@isotherm/contract/paging.ts'
import type { QueryClient } from '@tanstack/react-query'
import { type CallPath, refetchNow, refetchSoon } from '../../lib/live-refetch.ts'
import { withExcursion, withReading } from './live-update.ts'

type Page = { data: Device[]; meta: Meta }
type Change = (device: Device) => Device

const list = '/devices' satisfies CallPath
const one = '/devices/:id' satisfies CallPath
const figures = ['/devices/summary', '/users/dashboard'] satisfies CallPath[]

/** A fleet of thousands pushes faster than a screen needs: changes are gathered for this long. */
const gatherMs = 200

let changes = new Map<string, Change[]>()
let gathering: ReturnType<typeof setTimeout> | undefined

function change(client: QueryClient, deviceId: string, how: Change) {
  changes.set(deviceId, [...(changes.get(deviceId) ?? []), how])
  if (!gathering) gathering = setTimeout(() => apply(client), gatherMs)
}

function apply(client: QueryClient) {
  const due = changes
  changes = new Map()
  gathering = undefined
  let isHeardAgain = false
  const changed = (device: Device) => {
    const after = (due.get(device.id) ?? []).reduce((before, how) => how(before), device)
    isHeardAgain ||= after.status !== device.status
    return after
  }
  client.setQueriesData<Page>({ queryKey: [list] }, (page) => {
    if (!page?.data.some((device) => due.has(device.id))) return page
    return { ...page, data: page.data.map(changed) }
  })
  client.setQueriesData<Device>({ queryKey: [one] }, (device) => device && changed(device))
  if (isHeardAgain) refetchSoon(client, figures)
}

export function applyReading(client: QueryClient, push: LiveReading) {
  change(client, push.deviceId, (device) => withReading(device, push))
  // The device itself too: where it is heading is told by the server.
  refetchSoon(client, [one, '/devices/:id/history/chart', '/devices/:id/history', '/devices/:id/history/map-points'], {
    id: push.deviceId,
  })
}

export function applyExcursion(client: QueryClient, push: LiveExcursion) {
  change(client, push.deviceId, (device) => withExcursion(device, push))
  refetchSoon(client, [list, ...figures])
  refetchSoon(client, [one, '/devices/:id/history/chart'], { id: push.deviceId })
}

export function applyDevice(client: QueryClient, { deviceId }: LiveDevice) {
  refetchNow(client, [one], { id: deviceId })
  refetchSoon(client, [list, ...figures])
}
