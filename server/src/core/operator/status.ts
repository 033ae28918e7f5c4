import { backupWarnings } from '../../platform/backup/backup-state.ts'
import { clockFault } from '../../platform/clock/database-clock.ts'
import { keyFaults } from '../../platform/cluster/key-faults.ts'
import { faultOf } from '../../platform/db/standby-watch.ts'
import { objectStore } from '../../platform/files/object-store.ts'
import type { OperatorPage } from '../../platform/http/metrics.ts'
import type { Services } from '../../platform/services.ts'
import { type Status, type StatusNode, statusPage } from './status-page.ts'
import { readStatus } from './status-queries.ts'

const stateOf = (node: { is_alive: boolean; is_settled: boolean; is_draining: boolean }): StatusNode['state'] => {
  if (!node.is_alive) return 'dead'
  if (node.is_draining) return 'stopping'
  return node.is_settled ? 'alive' : 'starting'
}

/** A queue whose oldest is later than that is worth a look, seconds. */
const lateAfterS = 300

export async function statusOf({
  pool,
  clock,
  disk,
  config,
  replica,
  backup,
  nats,
  databaseClock,
  ledgers,
  queues: ownQueues,
  peerFaults,
}: Services): Promise<Status> {
  const now = clock.now()
  const own = ownQueues?.()
  const { nodes, queues, givenUp, database, standbys, replicas } = await readStatus(pool, now)
  const listed = nodes.map((node) => ({
    ...{ name: node.name, address: node.address, version: node.version },
    ...{ startedAt: node.started_at.toISOString(), beatAt: node.beat_at.toISOString() },
    ...{ state: stateOf(node), lanes: node.is_alive ? node.held.length : 0 },
    clockAheadMs: node.clock_ahead_ms,
    ...{ readingsWaiting: node.readings_waiting, callsWaiting: node.calls_waiting },
  }))
  const living = new Set(listed.flatMap(({ name, state }) => (state === 'dead' ? [] : [name])))
  const late = queues.filter((queue) => queue.late > lateAfterS)
  const versions = new Set(listed.flatMap(({ version, state }) => (state === 'dead' ? [] : [version])))
  const isExpected = config.cluster || config.requireSyncStandby || standbys.synchronous !== ''
  const standbyFault = isExpected && !database?.is_standby ? faultOf(standbys) : null
  const clockFaults = config.cluster
    ? listed.map(({ name, state, clockAheadMs }) =>
        state === 'dead' ? null : clockFault(`The clock of node ${name}`, clockAheadMs),
      )
    : [databaseClock?.fault]
  const warnings = [
    // One that was started again has a row of its own.
    ...listed.flatMap(({ name, state }) =>
      state === 'dead' && !living.has(name) ? [`Node ${name} gives no sign of life.`] : [],
    ),
    ...(versions.size > 1 ? [`The nodes run different versions: ${[...versions].join(', ')}.`] : []),
    ...clockFaults.filter((fault) => typeof fault === 'string'),
    ...keyFaults(nodes),
    ...(peerFaults?.() ?? []),
    ...(ledgers?.faults ?? []),
    ...(standbyFault ? [standbyFault] : []),
    ...(standbyFault && config.requireSyncStandby ? ['Readings are refused (REQUIRE_SYNC_STANDBY).'] : []),
    ...(replica?.fault ? [`Charts and reports are read from the primary: ${replica.fault}.`] : []),
    ...(database?.is_standby ? ['The database that answers is a standby: nothing can be stored.'] : []),
    ...(database && database.connections > 0.9 * database.max_connections
      ? [`${database.connections} of ${database.max_connections} connections of the database are taken.`]
      : []),
    ...late.map(({ name, late: s }) => `${name}: the oldest is ${Math.round(s / 60)} minutes late.`),
    ...givenUp.map(({ name, count }) => `${name}: given up within a day after many tries: ${count}. The log says why.`),
    ...(backup ? backupWarnings(backup.facts()) : []),
    ...(config.fileStore && objectStore(config.fileStore).fault()
      ? [`The bucket of files does not answer: ${objectStore(config.fileStore).fault()}.`]
      : []),
    ...(nats?.fault ? [`NATS is away, and live events do not reach the screens of other nodes: ${nats.fault}.`] : []),
    ...((await disk.isLow()) ? ['The disk of DATA_DIR is nearly full: uploads and reports are refused.'] : []),
  ]
  return {
    at: now.toISOString(),
    server: {
      node: process.versions.node,
      timeZones: process.versions.tz ?? 'unknown',
      clockAheadMs: databaseClock?.machineAheadMs ?? null,
      ...{ readingsWaiting: own?.readings ?? null, callsWaiting: own?.calls ?? null },
    },
    nodes: listed,
    backup: backup?.facts() ?? null,
    isOwnDatabase: config.databaseUrl !== undefined,
    warnings,
    database: database && {
      ...{ version: database.version, bytes: Number(database.bytes) },
      ...{ connections: database.connections, maxConnections: database.max_connections },
      synchronousStandbys: database.synchronous,
      replicas: replicas.map(({ bytes, ...replica }) => ({
        ...replica,
        behindBytes: bytes === null ? null : Number(bytes),
      })),
    },
    queues: queues.map(({ name, waiting, late: s }) => ({ name, waiting, lateS: Math.round(s) })),
  }
}

/** `/status` for a person, `/status.json` for a program: beside the metrics. */
export const statusPages = (services: Services): Record<string, OperatorPage> => ({
  '/status': async () => ({ type: 'text/html; charset=utf-8', text: statusPage(await statusOf(services)) }),
  '/status.json': async () => ({
    type: 'application/json; charset=utf-8',
    text: JSON.stringify(await statusOf(services)),
  }),
})
