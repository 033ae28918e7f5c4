import { randomBytes } from 'node:crypto'
import { openSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { programs, until } from '../../server/test/postgres-pair.ts'
import { ended } from '../pipeline/stage.ts'
import { ownFolder } from './dockerfile.ts'
import { launch, root, run } from './programs.ts'
import type { Report } from './report.ts'

/** The two members of the compose file by its own script: the second one follows, and after its promotion has what was committed. */
export async function tryPair(report: Report, work: string, port: number): Promise<void> {
  const bin = programs()
  if (!bin) return report.add('pair of the compose file', 'not tried', 'PostgreSQL with pg_basebackup is not installed')
  await report.try('pair of the compose file', async () => {
    const folder = join(work, 'pair')
    await ownFolder(folder)
    const password = randomBytes(12).toString('hex')
    await writeFile(join(folder, 'password'), password)
    const member = (place: number, follows: boolean) =>
      launch(
        join(root, 'deploy/compose/postgres.sh'),
        [],
        {
          env: {
            ...{ PATH: `${bin}:/usr/bin:/bin`, NAME: `db_${place + 1}`, FOLLOWS: follows ? '127.0.0.1' : '' },
            ...{ PGDATA: join(folder, `db-${place + 1}`), PGPORT: String(port + place), FOLLOWS_PORT: String(port) },
            ...{ DATABASE_PASSWORD_FILE: join(folder, 'password'), LISTEN: '127.0.0.1', SOCKETS: folder },
          },
        },
        openSync(join(folder, `db-${place + 1}.log`), 'w'),
      )
    const ask = async (place: number, sql: string, role = 'isotherm') => {
      const connectionString = `postgres://isotherm:${password}@127.0.0.1:${port + place}/isotherm`
      const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 })
      client.on('error', () => {})
      try {
        await client.connect()
        await client.query(`set role ${role}`)
        return (await client.query(sql)).rows
      } finally {
        await client.end().catch(() => {})
      }
    }
    for (let place = 0; place < 2; place++) await ownFolder(join(folder, `db-${place + 1}`))
    const first = member(0, false)
    let second = first
    try {
      await until(
        () =>
          ask(0, 'select').then(
            () => true,
            () => false,
          ),
        60_000,
      )
      second = member(1, true)
      const follows = `select from pg_stat_replication where state = 'streaming' and sync_state = 'quorum'`
      await until(async () => (await ask(0, follows, 'pg_monitor')).length > 0, 60_000)
      await ask(0, 'create schema tried create table rows (n int)')
      await ended(first, 'SIGQUIT')
      run(join(bin, 'pg_ctl'), ['promote', '-D', join(folder, 'db-2/cluster')])
      await until(() =>
        ask(1, 'select from tried.rows').then(
          (rows) => rows.length === 0,
          () => false,
        ),
      )
      return 'postgres.sh by Debian’s PostgreSQL: the standby is synchronous, and has the commit after the primary ended and it was promoted'
    } finally {
      await Promise.all([ended(first, 'SIGINT'), ended(second, 'SIGINT')])
      await sleep(100)
    }
  })
}
