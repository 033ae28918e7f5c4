import { dashboardPath } from '@isotherm/contract/dashboard-path.ts'
import { type Device, devices } from '@isotherm/contract/devices.ts'
import type { LiveDevice, LiveExcursion, LiveReading } from '@isotherm/contract/live.ts'
import type { Meta } from '@isotherm/contract/paging.ts'
import type { QueryClient } from '@tanstack/react-query'
import { onPush } from '../../lib/realtime.ts'
import { withExcursion, withReading } from './live-update.ts'

type Page = { data: Device[]; meta: Meta }
type Change = (device: Device) => Device

/** A fleet of thousands pushes faster than a screen needs: changes are gathered for this long. */
const gatherMs = 200
/** Counts, charts and paths are fetched again at most this often. */
const refetchMs = 3_000

let changes = new Map<string, Change[]>()
let gathering: ReturnType<typeof setTimeout> | undefined
/** Keys as JSON, so that the same one counts once. */
let stale = new Set<string>()
let waiting: ReturnType<typeof setTimeout> | undefined

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
  client.setQueriesData<Page>({ queryKey: [devices.list.path] }, (page) => {
    if (!page?.data.some((device) => due.has(device.id))) return page
    return { ...page, data: page.data.map(changed) }
  })
  client.setQueriesData<Device>({ queryKey: [devices.one.path] }, (device) => device && changed(device))
  if (isHeardAgain) refetchSoon(client, [devices.summary.path], [dashboardPath])
}

function refetchSoon(client: QueryClient, ...keys: unknown[][]) {
  for (const key of keys) stale.add(JSON.stringify(key))
  if (waiting) return
  waiting = setTimeout(() => {
    const due = stale
    stale = new Set()
    waiting = undefined
    for (const key of due) void client.invalidateQueries({ queryKey: JSON.parse(key) as unknown[] })
  }, refetchMs)
}

const overviews = [[devices.list.path], [devices.summary.path], [dashboardPath]]

onPush('reading', (client, data) => {
  const push = data as LiveReading
  change(client, push.deviceId, (device) => withReading(device, push))
  const id = { id: push.deviceId }
  // The device itself too: where it is heading is told by the server.
  refetchSoon(
    client,
    [devices.one.path, id],
    [devices.chart.path, id],
    [devices.history.path, id],
    [devices.mapPoints.path, id],
  )
})
onPush('excursion', (client, data) => {
  const push = data as LiveExcursion
  change(client, push.deviceId, (device) => withExcursion(device, push))
  refetchSoon(
    client,
    ...overviews,
    [devices.one.path, { id: push.deviceId }],
    [devices.chart.path, { id: push.deviceId }],
  )
})
onPush('device', (client, data) => {
  const { deviceId } = data as LiveDevice
  void client.invalidateQueries({ queryKey: [devices.one.path, { id: deviceId }] })
  refetchSoon(client, ...overviews)
})
