import type { BackupFacts } from '../../platform/backup/backup-state.ts'

export interface StatusNode {
  name: string
  address: string
  version: string
  startedAt: string
  beatAt: string
  state: 'alive' | 'starting' | 'stopping' | 'dead'
  lanes: number
  /** By how much its machine's clock is ahead of the database's; null: not told. */
  clockAheadMs: number | null
  /** Readings that it took in and has not stored; null: not told. */
  readingsWaiting: number | null
  /** Calls that wait for their turn; null: not told. */
  callsWaiting: number | null
}

/** The installation as its operator sees it. */
export interface Status {
  at: string
  /** The server that answers. `timeZones`: the data by which it turns instants into times of places. */
  server: { node: string; timeZones: string } & Pick<StatusNode, 'clockAheadMs' | 'readingsWaiting' | 'callsWaiting'>
  /** Empty: one server alone, which keeps no list. */
  nodes: StatusNode[]
  /** Sentences that an operator should act upon. */
  warnings: string[]
  database: {
    version: string
    bytes: number
    connections: number
    maxConnections: number
    synchronousStandbys: string
    replicas: { name: string; state: string; sync: string; behindBytes: number | null }[]
  } | null
  /** Null: none is configured, or it is not this server's part. */
  backup: BackupFacts | null
  /** PostgreSQL is the operator's own (DATABASE_URL). */
  isOwnDatabase: boolean
  /** In the database: those of all servers. */
  queues: { name: string; waiting: number; lateS: number }[]
}

const escaped = (text: unknown) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

type Cell = string | number

const table = (heads: readonly string[], rows: readonly (readonly Cell[])[], none: string): string =>
  rows.length === 0
    ? `<p class="none">${escaped(none)}</p>`
    : `<div class="scroll"><table><thead><tr>${heads.map((head) => `<th scope="col">${escaped(head)}</th>`).join('')}</tr></thead><tbody>${rows
        .map(
          (row) =>
            `<tr>${row.map((cell) => `<td${typeof cell === 'number' ? ' class="number"' : ''}>${escaped(cell)}</td>`).join('')}</tr>`,
        )
        .join('')}</tbody></table></div>`

const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
function sizeOf(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}

const secondsSince = (at: string, now: string) => Math.max(0, Math.round((Date.parse(now) - Date.parse(at)) / 1000))

/** A machine's clock beside the database's. */
function clockOf(aheadMs: number | null): string {
  if (aheadMs === null) return 'not compared'
  if (Math.abs(aheadMs) < 50) return 'agrees'
  return `${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs > 0 ? 'ahead' : 'behind'}`
}

/** Each server has them in its own memory. */
const ownQueues = ['Readings waiting', 'Calls waiting'] as const

const style = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem;margin:0}h2{font-size:1.05rem;margin:2rem 0 .5rem}.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.35rem .8rem .35rem 0;border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent);white-space:nowrap}
th{font-weight:600}.number{font-variant-numeric:tabular-nums}.warning{border-left:4px solid #d9480f;padding:.3rem .8rem;margin:.5rem 0}.none{opacity:.75}`

const daysOf = (days: number | null) => (days === null ? 'none yet' : `${days.toFixed(1)} days ago`)

const noBackup = 'There is none: set BACKUP_DIR or BACKUP_S3_BUCKET, and BACKUP_RECIPIENTS.'
const backupElsewhere =
  'This server keeps none of a PostgreSQL of your own (DATABASE_URL): its provider does, or pgBackRest (deploy/README.md). Look there whether it is fresh, and try a restore every month.'

const backupRows = (facts: BackupFacts): [string, Cell][] => [
  ['Log', facts.isReceiving ? 'is received' : 'is not received'],
  ['Behind', `${sizeOf(facts.behindBytes)}, ${Math.round(facts.behindS)} s`],
  ['Last base backup', daysOf(facts.baseAgeDays)],
  [
    'Last good drill',
    `${daysOf(facts.drillAgeDays)}${facts.drillPassed === false ? '; one since then found faults' : ''}`,
  ],
  ['Free', facts.freeBytes === null ? 'unknown' : sizeOf(facts.freeBytes)],
]

/** The status as a page that looks again every five seconds, without a script. In English, as the log is. */
export function statusPage({ at, server, nodes, warnings, database, backup, isOwnDatabase, queues }: Status): string {
  const facts: [string, Cell][] = database
    ? [
        ['Version', `PostgreSQL ${database.version}`],
        ['Size', sizeOf(database.bytes)],
        ['Connections', `${database.connections} of ${database.maxConnections}`],
        ['Synchronous standbys', database.synchronousStandbys || 'none'],
      ]
    : []
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5"><title>Isotherm: status</title><style>${style}</style></head><body>
<h1>Isotherm: status</h1><p class="none">${escaped(at)}</p>
${warnings.map((warning) => `<p class="warning" role="status">${escaped(warning)}</p>`).join('') || '<p>Nothing needs attention.</p>'}
<h2>Nodes</h2>${table(
    ['Name', 'Address', 'Version', 'State', 'Lanes', 'Runs since', 'Last sign of life', 'Clock', ...ownQueues],
    nodes.map((node) => [
      ...[node.name, node.address, node.version, node.state, node.lanes, node.startedAt],
      `${secondsSince(node.beatAt, at)} s ago`,
      clockOf(node.clockAheadMs),
      ...[node.readingsWaiting ?? 'not told', node.callsWaiting ?? 'not told'],
    ]),
    'One server alone, without NODE_LISTEN: there is no list of nodes.',
  )}
<h2>This server</h2>${table(
    ['Fact', 'Value'],
    [
      ['Node.js', server.node],
      ['Time zone data', server.timeZones],
      ['Clock', clockOf(server.clockAheadMs)],
      [ownQueues[0], server.readingsWaiting ?? 'not told'],
      [ownQueues[1], server.callsWaiting ?? 'not told'],
    ],
    '',
  )}
<h2>Database</h2>${table(['Fact', 'Value'], facts, 'It does not answer.')}
<h2>Standbys</h2>${table(
    ['Name', 'State', 'Kind', 'Behind'],
    (database?.replicas ?? []).map(({ name, state, sync, behindBytes }) => [
      ...[name, state, sync],
      behindBytes === null ? 'unknown' : sizeOf(behindBytes),
    ]),
    'No standby follows this database.',
  )}
<h2>Backup</h2>${table(['Fact', 'Value'], backup ? backupRows(backup) : [], isOwnDatabase ? backupElsewhere : noBackup)}
<h2>Queues of all servers</h2>${table(
    ['Queue', 'Waiting', 'Oldest is late by'],
    queues.map(({ name, waiting, lateS }) => [name, waiting, `${lateS} s`]),
    'Nothing waits.',
  )}
</body></html>
`
}
