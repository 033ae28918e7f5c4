import type { Device } from '@isotherm/contract/devices.ts'
import type { SharedDevice, ShareLink } from '@isotherm/contract/share-links.ts'
import type { ShareLinkRow } from './queries.ts'

export const presentLink = (row: ShareLinkRow): ShareLink => ({
  id: row.id,
  kind: row.kind,
  label: row.label,
  device: row.device_id === null ? null : { id: String(row.device_id), name: row.device_name ?? '' },
  groups: row.group_ids.flatMap((id, i) => (row.group_names[i] ? [{ id, name: row.group_names[i] }] : [])),
  showsPosition: row.shows_position,
  showsChart: row.shows_chart,
  showsPrivate: row.shows_private,
  turnS: row.turn_s,
  createdBy: { id: row.user_id, name: row.made_by },
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at?.toISOString() ?? null,
  openings: row.openings,
  lastReadAt: row.last_read_at?.toISOString() ?? null,
})

/** How the audit trail names a link. */
export const target = (row: ShareLinkRow) => ({ kind: 'shareLink', id: row.id, name: row.label })

/** The facts of a link in the audit trail. */
export const auditSnapshot = (row: ShareLinkRow) => ({
  label: row.label,
  ...(row.device_name === null ? {} : { device: row.device_name }),
  ...(row.kind === 'device' ? {} : { groups: row.group_names.filter((name) => name !== null) }),
  showsPosition: row.shows_position,
  showsChart: row.shows_chart,
  showsPrivate: row.shows_private,
  ...(row.kind === 'wall' && { turnS: row.turn_s }),
  expiresAt: row.expires_at?.toISOString() ?? null,
})

const hourMs = 3_600_000
const hours = 24

/** One average for each of the last 24 hours; the last one is running. */
function trendOf(points: NonNullable<Device['sparkline24h']>, now: Date): SharedDevice['trend'] {
  const running = Math.floor(now.getTime() / hourMs)
  const byHour = new Map(points.map(({ at, avgC }) => [Math.floor(Date.parse(at) / hourMs), avgC]))
  return Array.from({ length: hours }, (_, i) => byHour.get(running - hours + 1 + i) ?? null)
}

export interface SharedParts {
  showsPosition: boolean
  /** Null: a link, which tells nothing of alarms. */
  openAlarms: ReadonlyMap<number, { count: number }> | null
  now: Date
}

export const presentShared = (device: Device, { showsPosition, openAlarms, now }: SharedParts): SharedDevice => ({
  name: device.name,
  isSample: device.sampleUntil !== null,
  status: device.status,
  measuredAt: device.latest?.measuredAt ?? null,
  temperatureC: device.latest?.temperatureC ?? null,
  humidityPct: device.latest?.humidityPct ?? null,
  batteryPct: device.latest?.batteryPct ?? null,
  limits: device.limits,
  judgement: device.judgement,
  outSince: device.excursionSince,
  position:
    showsPosition && device.position
      ? {
          lat: device.position.lat,
          lon: device.position.lon,
          at: device.position.at,
          placeName: device.position.placeName,
        }
      : null,
  trend: device.sparkline24h ? trendOf(device.sparkline24h, now) : [],
  openAlarms: openAlarms && (openAlarms.get(Number(device.id))?.count ?? 0),
})
