import { setTimeout as sleep } from 'node:timers/promises'
import { httpDevice, mqttDevice } from '../kill/device.ts'
import { makeFleet } from '../pipeline/fleet.ts'
import { intervalMs } from '../pipeline/readings.ts'
import { openStage } from '../pipeline/stage.ts'

const port = Number(process.env.BENCH_PORT ?? 15_900)

/**
 * Bytes on disk and of write-ahead log for each reading, from a server that takes in some ten thousand of them: 20 in each request of 20 devices,
 * or `singly`, one in each message of 200.
 */
export async function measureBytes(seconds: number, { singly }: { singly: boolean }): Promise<string> {
  const stage = await openStage({ http: port, mqtt: port + 1 })
  try {
    const fleet = await makeFleet(stage.client, 2, singly ? 200 : 20)
    await stage.startServer({ LOG_LEVEL: 'fatal', MQTT_CONNECTIONS: '1000/1000' })
    const log = async () => (await stage.client.query('select pg_current_wal_lsn() as lsn')).rows[0].lsn
    const before = await log()
    let stopping = false
    const firstAt = Date.now() - 600 * 24 * 3_600_000
    const isOver = () => stopping
    const devices = fleet.map((device, index) =>
      singly
        ? mqttDevice(device, index, port + 1, firstAt, isOver, { pauseMs: 1_000 })
        : httpDevice(device, index, port, firstAt, isOver),
    )
    await sleep(seconds * 1_000)
    stopping = true
    await Promise.all(devices.map(({ done }) => done))
    const count = devices.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)
    const after = await log()
    const sizes = await stage.client.query<{ name: string; heap: string; total: string }>(
      `select split_part(relname, '_2', 1) as name, sum(pg_relation_size(oid)) as heap, sum(pg_total_relation_size(oid)) as total
       from pg_class where relkind = 'r' and relname !~ '^(pg_|sql_)' group by 1
       having sum(pg_total_relation_size(oid)) > 1000000 order by 3 desc`,
    )
    const { rows } = await stage.client.query('select pg_wal_lsn_diff($1, $2)::float8 as n', [after, before])
    const each = (bytes: string | number) => (Number(bytes) / count).toFixed(1)
    return [
      `${count} readings of ${devices.length} devices, ${(((count / devices.length) * intervalMs) / 86_400_000).toFixed(1)} days each`,
      ...sizes.rows.map(
        ({ name, heap, total }) => `${name}: ${each(heap)} bytes a reading, ${each(total)} with indexes`,
      ),
      `write-ahead log: ${each(rows[0].n)} bytes a reading`,
    ].join('\n')
  } finally {
    await stage.stop()
  }
}
