import { existsSync } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { ask, dataFolder, startIn, supervisorProcess } from '../../../../test/embedded.ts'
import { isAlive } from './processes.ts'

const TABLE = 'create table kept as select 42 as answer'
const ANSWER = [{ answer: 42 }]

/** The address by the socket and by TCP. */
function waysOf(url: string): URL[] {
  const [socket, tcp] = [new URL(url), new URL(url)]
  expect(socket.searchParams.get('host')).toMatch(/^\//)
  tcp.searchParams.delete('host')
  return [socket, tcp]
}

describe('start and stop', () => {
  test('the login role owns its database, may make roles, and is no superuser', async () => {
    const { url } = await startIn(await dataFolder())
    const [role] = await ask(
      url,
      `select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls,
        (select pg_get_userbyid(datdba) from pg_database where datname = current_database()) as owner
       from pg_roles where rolname = current_user`,
    )
    expect(role).toEqual({
      rolsuper: false,
      rolcreaterole: true,
      rolcreatedb: false,
      rolbypassrls: false,
      owner: 'isotherm',
    })
  })

  test('what is acknowledged is on disk: fsync, synchronous commit and checksums are on', async () => {
    const { url } = await startIn(await dataFolder())
    const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums']
    for (const name of names)
      expect(await ask(url, `select current_setting('${name}') as value`)).toEqual([{ value: 'on' }])
  })

  test('only the password logs in, only by the socket and on loopback, and only we can read it', async () => {
    const dataDir = await dataFolder()
    const { url } = await startIn(dataDir)
    for (const way of waysOf(url)) {
      expect(await ask(way.href, 'select 1 as one')).toEqual([{ one: 1 }])
      way.password = 'wrong'
      await expect(ask(way.href, 'select 1')).rejects.toThrow('password authentication failed')
      way.username = 'postgres'
      await expect(ask(way.href, 'select 1')).rejects.toThrow('no pg_hba.conf entry')
    }
    expect(new URL(url).hostname).toBe('127.0.0.1')
    expect((await stat(join(dataDir, 'postgres.json'))).mode & 0o777).toBe(0o600)
  })

  test.each(['a'.repeat(90), 'Données, 1'])(
    'in a folder whose path no socket can have (%s) there is TCP only',
    async (name) => {
      const dataDir = join(await dataFolder(), name)
      await mkdir(dataDir, { recursive: true })
      const { url } = await startIn(dataDir)
      expect(new URL(url).searchParams.has('host')).toBe(false)
      expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
    },
  )

  test('the login for backups may copy the cluster and nothing else, and the other may not do that', async () => {
    const { url, backupUrl } = await startIn(await dataFolder())
    const backup = new URL(backupUrl ?? '')
    expect(await ask(backup.href, 'IDENTIFY_SYSTEM')).toHaveLength(1)
    backup.pathname = '/isotherm'
    backup.search = ''
    await expect(ask(backup.href, 'select 1')).rejects.toThrow('no pg_hba.conf entry')
    for (const way of waysOf(url)) {
      way.searchParams.set('replication', 'true')
      await expect(ask(way.href, 'IDENTIFY_SYSTEM')).rejects.toThrow('no pg_hba.conf entry')
    }
    expect(await ask(url, `select rolsuper, rolcreaterole from pg_roles where rolname = 'isotherm_backup'`)).toEqual([
      { rolsuper: false, rolcreaterole: false },
    ])
  })

  test('a cluster whose password file knows no backups yet gets the login for them, and keeps its own', async () => {
    const dataDir = await dataFolder()
    const first = await startIn(dataDir)
    await first.stop()
    const file = join(dataDir, 'postgres.json')
    const { backupPassword, ...before } = JSON.parse(await readFile(file, 'utf8'))
    await writeFile(file, JSON.stringify(before))
    const { url, backupUrl } = await startIn(dataDir)
    expect(url).toBe(first.url)
    expect(backupUrl).not.toContain(backupPassword)
    expect(await ask(backupUrl ?? '', 'IDENTIFY_SYSTEM')).toHaveLength(1)
  })

  test('a second start finds the data, at the same address', async () => {
    const dataDir = await dataFolder()
    const first = await startIn(dataDir)
    await ask(first.url, TABLE)
    await first.stop()
    const again = await startIn(dataDir)
    expect(await ask(again.url, 'select answer from kept')).toEqual(ANSWER)
    expect(again.url).toBe(first.url)
    await again.stop()
  })

  test('stop leaves no process and no pid file, and may be called twice', async () => {
    const dataDir = await dataFolder()
    const { pid, stop } = await startIn(dataDir)
    await Promise.all([stop(), stop()])
    expect(isAlive(pid())).toBe(false)
    expect(existsSync(join(dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false)
  })

  test('a process that exits without stopping takes its PostgreSQL with it', async () => {
    const { postmaster, exit, exited } = await supervisorProcess(await dataFolder())
    exit()
    expect(await exited).toBe(3)
    await vi.waitFor(() => expect(isAlive(postmaster)).toBe(false), 30_000)
  })
})

describe('one server for a data folder', () => {
  test('a second one is refused, told who has it, and disturbs nothing', async () => {
    const dataDir = await dataFolder()
    const { url } = await startIn(dataDir)
    await expect(startIn(dataDir)).rejects.toThrow(`in use by another Isotherm server (process ${process.pid})`)
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('a command line tool shares the running one, and its stop does not end it', async () => {
    const dataDir = await dataFolder()
    const { url } = await startIn(dataDir)
    const tool = await startIn(dataDir, { share: true })
    expect(tool.url).toBe(url)
    await tool.stop()
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})
