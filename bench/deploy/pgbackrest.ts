import { spawnSync } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { appendFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { programs, until } from '../../server/test/postgres-pair.ts'
import { ended } from '../pipeline/stage.ts'
import { ownFolder } from './dockerfile.ts'
import { launch, root, run } from './programs.ts'
import type { Report } from './report.ts'

const deploy = join(root, 'deploy/pgbackrest')

interface Drilled {
  restoredTo: string
  readings: number
  auditEntries: number
  migrations: number
  faults: number
}

/** Backup and drill by the files of deploy/: one PostgreSQL with a repository on disk, a restore to an instant, and a drill that must find what is missing. */
export async function tryPgBackRest(report: Report, work: string, port: number): Promise<void> {
  const name = 'pgBackRest, backup and drill'
  const bin = programs()
  const found = spawnSync('which', ['pgbackrest'], { encoding: 'utf8' })
  if (!bin || found.status !== 0)
    return report.add(name, 'not tried', 'PostgreSQL and pgbackrest are not both installed')
  await report.try(name, async () => {
    const folder = join(work, 'pgbackrest')
    const [data, repository, scratch] = ['data', 'repository', 'scratch'].map((each) => join(folder, each)) as [
      string,
      string,
      string,
    ]
    for (const each of [folder, data, repository, scratch]) await ownFolder(each)
    const conf = join(folder, 'pgbackrest.conf')
    const text = readFileSync(join(deploy, 'pgbackrest.conf'), 'utf8')
      .replace(
        /^repo1-path=.*$/m,
        `repo1-path=${repository}\nrepo1-cipher-pass=a-password-of-a-try\nlock-path=${folder}/lock`,
      )
      .replace(/^pg1-path=.*$/m, `pg1-path=${data}\npg1-port=${port}\npg1-socket-path=${folder}\npg1-user=postgres`)
      .replace(/^log-level-file=.*$/m, 'log-level-file=off')
    await writeFile(conf, text)
    const env = {
      PATH: `${dirname(found.stdout.trim())}:${bin}:/usr/bin:/bin`,
      ...{ PGBACKREST_CONFIG: conf, PG_BIN: bin, PGHOST: folder, PGPORT: String(port), PGUSER: 'postgres' },
      ...{ SCRATCH: scratch, RECORD: join(folder, 'drills.jsonl') },
    }
    run(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '--encoding=UTF8', '--locale=C', '-k'], {
      env,
    })
    const settings = {
      ...{ listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: folder, shared_buffers: '64MB' },
      ...{ archive_mode: 'on', archive_command: 'pgbackrest --stanza=isotherm archive-push %p' },
    }
    const lines = Object.entries(settings).map(([key, value]) => `${key} = '${value}'\n`)
    await appendFile(join(data, 'postgresql.conf'), lines.join(''))
    const server = launch(join(bin, 'postgres'), ['-D', data], { env }, openSync(join(folder, 'log'), 'w'))
    try {
      const ask = async (sql: string, database = 'isotherm') => {
        const client = new pg.Client(`postgres://postgres@127.0.0.1:${port}/${database}`)
        client.on('error', () => {})
        try {
          await client.connect()
          return (await client.query(sql)).rows
        } finally {
          await client.end().catch(() => {})
        }
      }
      await until(
        () =>
          ask('select', 'postgres').then(
            () => true,
            () => false,
          ),
        60_000,
      )
      await ask('create role isotherm login createrole noinherit', 'postgres')
      await ask('create database isotherm owner isotherm', 'postgres')
      await migrate(`postgres://isotherm@127.0.0.1:${port}/isotherm`)
      await ask(`create table readings_of_try partition of readings for values from ('2020-01-01') to ('2100-01-01')`)
      const arrive = (from: number, to: number, at = 'clock_timestamp()') =>
        ask(`insert into readings (company_id, device_id, measured_at, received_at, temperature_centi)
          select 1, 1, timestamptz '2026-01-01' + n * interval '1 second', ${at}, 500 from generate_series(${from}, ${to}) n`)
      run('pgbackrest', ['--stanza=isotherm', 'stanza-create'], { env })
      await arrive(1, 1_000)
      run(join(deploy, 'backup.sh'), [], { env })
      await arrive(1_001, 1_500)
      const [row] = await ask('select to_char(clock_timestamp(), $$YYYY-MM-DD HH24:MI:SS.USOF$$) as instant')
      const TO = String(row?.instant)
      await arrive(1_501, 1_700)
      await ask('select pg_switch_wal()')
      const drilled = () => JSON.parse(run(join(deploy, 'drill.sh'), [], { env: { ...env, TO } }).trim()) as Drilled
      const proven = drilled()
      if (proven.readings !== 1_500 || proven.faults !== 0)
        throw new Error(`1500 readings were expected: ${JSON.stringify(proven)}`)
      // As if the backup lacked something that had arrived before.
      await arrive(2_001, 2_010, `timestamptz '${TO}' - interval '1 second'`)
      const outcome = (() => {
        try {
          return JSON.stringify(drilled())
        } catch (error) {
          return (error as Error).message
        }
      })()
      if (!/FAULT: of 1510 readings/.test(outcome)) throw new Error(`the drill did not see what is missing: ${outcome}`)
      return `a full backup, encrypted; a restore to an instant between two transactions: ${proven.readings} of 1500 readings, ${proven.migrations} migrations; a second drill found what was missing. One server, a repository on its disk, without Patroni and without a bucket`
    } finally {
      await ended(server, 'SIGINT')
    }
  })
}
