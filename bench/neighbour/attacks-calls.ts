import type { BackTest } from '@isotherm/contract/back-test.ts'
import { formOf, formType, SentFile } from '../../server/test/form.ts'
import type { Attack, Tools } from './attack.ts'

const dayMs = 86_400_000
const iso = (at: number) => new Date(at).toISOString()
const lastDays = (days: number) => ({ from: iso(Date.now() - days * dayMs), to: iso(Date.now()) })
const queryOf = (days: number) => new URLSearchParams(lastDays(days))
const formats = ['pdf', 'xlsx', 'csv']

/** Orders of the longest reports, of devices and of all of them. */
export const reports: Attack = {
  connections: 3,
  async round(tools, connection, turn) {
    const format = formats[turn % formats.length]
    const token = tools.token(turn)
    if (connection === 0)
      await tools.ask('POST', '/groups/download-report', token, {
        groupId: tools.scene.groupId,
        ...lastDays(60),
        format,
      })
    else {
      const { id } = tools.device(turn)
      await tools.ask('POST', `/devices/${id}/history/report`, token, { ...lastDays(400), format })
    }
  },
}

/** Attachments of 8 MB, a record after the other. */
export const uploads: Attack = {
  connections: 3,
  async round(tools, connection, turn) {
    const token = tools.token(connection)
    const id = await recordOf(tools, connection, turn, token)
    await tools.ask('POST', `/enterprise/record/${id}/attachments`, token, largestFile(), formType)
  },
}

const records = new Map<number, string>()

async function recordOf(tools: Tools, connection: number, turn: number, token: string): Promise<string> {
  const known = records.get(connection)
  if (known && turn % 50 !== 0) return known
  const body = { name: `Record ${connection} ${turn}`, deviceIds: [String(tools.device(connection).id)] }
  const made = await tools.ask<{ id: string }>('POST', '/enterprise/record', token, body)
  if (made) records.set(connection, made.id)
  return made?.id ?? known ?? '1'
}

let file: Buffer | undefined
function largestFile(): Buffer {
  file ??= formOf({ file: new SentFile('notes.txt', Buffer.alloc(8 * 1024 * 1024, 'a cold van\n')) })
  return file
}

/** The largest file of devices to set up: 2,000 rows, most of them wrong. */
export const bulk: Attack = {
  connections: 2,
  async round(tools, connection) {
    await tools.ask('POST', '/devices/setup/bulk', tools.token(connection), { csv: largestCsv(tools), dryRun: true })
  },
}

let csv: string | undefined
function largestCsv({ scene }: Tools): string {
  const rows = Array.from({ length: 2_000 }, (_, n) => {
    const imei = scene.devices[n]?.imei ?? String(990_000_000_000_000 + n)
    return `${imei},AAAA-BBBB-CCCC,no such key,Device ${n} ${'x'.repeat(60)},${'t'.repeat(50)},180,public,2,8,20,80,,1,"${'g'.repeat(100)}"`
  })
  csv ??= `imei,claimCode,licenceKey,name,tag,intervalS,visibility,temperatureMinC,temperatureMaxC,humidityMinPct,humidityMaxPct,preset,probe,groups\n${rows.join('\n')}`
  return csv
}

/** Polygons of 500 corners until the quota is full; from then on one is taken away and made again. */
export const fences: Attack = {
  connections: 3,
  async round(tools, connection, turn) {
    const token = tools.token(connection)
    const points = Array.from({ length: 500 }, (_, n) => {
      const angle = (n / 500) * 2 * Math.PI
      return { lat: 6.5 + connection + Math.sin(angle), lon: 3.4 + Math.cos(angle) * (n % 2 === 0 ? 1 : 0.9) }
    })
    const body = { name: `Fence ${connection} ${turn}`, colour: 'red', area: { kind: 'polygon', points } }
    const made = await tools.ask<{ id: string }>('POST', '/geofence', token, body)
    if (made) fenceIds.push(made.id)
    else await tools.ask('DELETE', `/geofence/${fenceIds.shift() ?? '1'}`, token)
  },
}

const fenceIds: string[] = []

const rules = [
  { kind: 'value', temperatureMaxC: 5 },
  { kind: 'value', temperatureMinC: 2, temperatureMaxC: 5, cumulative: { minutes: 30, window: '24h' } },
  { kind: 'value', temperatureMaxC: 5, humidityMaxPct: 60, batteryMinPct: 50 },
  { kind: 'noData', afterMinutes: 5 },
]

/** Back-tests of rules over the last 90 days, of all devices. */
export const backTests: Attack = {
  connections: 4,
  async round(tools, connection, turn) {
    const rule = rules[(connection + turn) % rules.length]
    const question = { rule, groupIds: [tools.scene.groupId], days: 90 }
    let cursor: string | null | undefined = null
    do {
      const body: object = { ...question, ...(cursor ? { cursor } : {}) }
      const answer: BackTest | undefined = await tools.ask<BackTest>(
        'POST',
        '/alarms/backtest',
        tools.token(connection),
        body,
      )
      cursor = answer?.cursor
    } while (cursor && !tools.isOver)
  },
}

/** Wrong passwords, for an account that there is and for ever new ones. */
export const signIns: Attack = {
  connections: 5,
  async round(tools, connection, turn) {
    const email = connection === 0 ? tools.scene.email : `nobody${connection}.${turn}@bench.test`
    await tools.ask('POST', '/auth/login', '', { email, password: `wrong password ${turn}` })
  },
}

const files = [
  '/audit-log/audit-trail.csv',
  '/devices/export',
  '/groups/export',
  '/users/export',
  '/enterprise/records/export',
]

/** Lists as files. */
export const exports: Attack = {
  connections: 4,
  async round(tools, connection, turn) {
    await tools.ask('GET', files[turn % files.length] ?? '', tools.token(connection))
  },
}

/** Charts and paths of a year, of a device and of all of them. */
export const charts: Attack = {
  connections: 6,
  async round(tools, connection, turn) {
    const { id } = tools.device(turn)
    const paths = [
      `/devices/${id}/history/chart?${queryOf(365)}&points=2000`,
      `/groups/${tools.scene.groupId}/chart?${queryOf(365)}&points=1000`,
      `/devices/${id}/history/map-points?${queryOf(365)}&points=2000`,
      `/devices/${id}/stats?${queryOf(365)}`,
    ]
    await tools.ask('GET', paths[(connection + turn) % paths.length] ?? '', tools.token(connection))
  },
}
