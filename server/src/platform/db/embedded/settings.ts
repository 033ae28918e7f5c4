import { statfsSync } from 'node:fs'
import { totalmem } from 'node:os'

const MIB = 2 ** 20

/** Extra or other settings of postgresql.conf by name, as they stand in that file ('off', '512MB'). */
export type Settings = Record<string, string>

/**
 * The server's settings: a small machine that takes in readings all day. Nothing trades durability for speed; what is
 * acknowledged is on disk. An operator's own settings go to local.conf beside it and win.
 */
export function settingsFor(extra: Settings = {}, home?: string): Settings {
  const memory = totalmem()
  const megabytes = (share: number, most: number) => `${Math.floor(Math.min(memory * share, most * MIB) / MIB)}MB`
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: home !== undefined && holdsSocket(home) ? home : '',
    password_encryption: 'scram-sha-256',
    max_connections: '60',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    wal_level: 'replica',
    wal_compression: 'pglz',
    max_slot_wal_keep_size: keptLog(home),
    wal_buffers: '16MB',
    min_wal_size: '256MB',
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    shared_buffers: megabytes(1 / 4, 256),
    effective_cache_size: megabytes(1 / 2, 16_384),
    work_mem: '16MB',
    maintenance_work_mem: megabytes(1 / 16, 128),
    random_page_cost: '1.1',
    max_parallel_workers_per_gather: '0',
    max_parallel_workers: '2',
    max_worker_processes: '4',
    io_workers: '2',
    jit: 'off',
    dynamic_shared_memory_type: dynamicSharedMemory(),
    // Plans of prepared statements last until the next ANALYZE: a table that grew from 1 page to 300 was read whole for each device.
    autovacuum_naptime: '5s',
    autovacuum_max_workers: '2',
    client_connection_check_interval: '2s',
    tcp_keepalives_idle: '60',
    update_process_title: 'off',
    timezone: 'UTC',
    datestyle: 'iso, mdy',
    default_text_search_config: 'pg_catalog.simple',
    lc_messages: 'C',
    logging_collector: 'on',
    log_directory: 'log',
    log_filename: 'postgresql-%a.log',
    log_rotation_age: '1d',
    log_rotation_size: '0',
    log_truncate_on_rotation: 'on',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] %a ',
    log_min_duration_statement: '2s',
    log_parameter_max_length: '0',
    log_lock_waits: 'on',
    ...extra,
  }
}

/** Linux takes paths of sockets up to 107 bytes; PostgreSQL reads a list, in which some signs have a meaning. Else there is TCP only. */
const holdsSocket = (home: string) => /^[\w/.-]+$/.test(home) && home.length < 90

/** The text of postgresql.conf. */
export function renderSettings(settings: Settings): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`)
  return [
    '# Written by Isotherm at every start. Your own settings: local.conf.',
    ...lines,
    "include_if_exists 'local.conf'",
    '',
  ].join('\n')
}

/** The log that is kept for a receiver that is away: a tenth of the disk, so that it cannot fill it. */
function keptLog(home: string | undefined): string {
  if (home === undefined) return '2GB'
  const { bsize, blocks } = statfsSync(home)
  return `${Math.min(10, Math.max(1, Math.floor((bsize * blocks) / 10 / 2 ** 30)))}GB`
}

/** Parallel queries need shared memory; a container's /dev/shm of 64 MB makes them fail, files in the cluster do not. */
function dynamicSharedMemory(): string {
  if (process.platform !== 'linux') return 'posix'
  try {
    const { bsize, blocks } = statfsSync('/dev/shm')
    return bsize * blocks >= 256 * MIB ? 'posix' : 'mmap'
  } catch {
    return 'mmap'
  }
}
