import { spawn } from 'node:child_process'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ask, askUntilAnswered, dataFolder, startIn, supervisorProcess } from '../../../../test/embedded.ts'
import { isAlive } from './processes.ts'

const TABLE = 'create table kept as select 42 as answer'
const ANSWER = [{ answer: 42 }]

describe('crashes', () => {
  test('PostgreSQL killed: it is started again at the same address, and what was committed is there', async () => {
    const { url, pid, lines } = await startIn(await dataFolder())
    const pool = new pg.Pool({ connectionString: url })
    pool.on('error', () => {})
    onTestFinished(() => pool.end())
    await pool.query(TABLE)
    for (let round = 0; round < 3; round++) {
      process.kill(pid(), 'SIGKILL')
      expect(await askUntilAnswered(url, 'select answer from kept')).toEqual(ANSWER)
    }
    expect((await pool.query('select answer from kept')).rows).toEqual(ANSWER)
    expect(lines.filter((line) => line.includes('ended unexpectedly'))).toHaveLength(3)
  })

  test('a killed postmaster is replaced though one of its backends is deep in a query', async () => {
    const { url, pid } = await startIn(await dataFolder())
    const busy = ask(url, 'select count(*) from generate_series(1, 4000000000)').catch((error: Error) => error.message)
    await vi.waitFor(
      async () =>
        expect(await ask(url, `select 1 from pg_stat_activity where query like '%4000000000)'`)).not.toEqual([]),
      30_000,
    )
    process.kill(pid(), 'SIGKILL')
    expect(await askUntilAnswered(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await busy).toBeTypeOf('string')
  })

  test('the server killed: the next one adopts the PostgreSQL that still runs, and keeps watch over it', async () => {
    const dataDir = await dataFolder()
    const killed = await supervisorProcess(dataDir)
    await ask(killed.url, TABLE)
    process.kill(killed.pid, 'SIGKILL')
    await killed.exited
    const next = await startIn(dataDir)
    expect({ pid: next.pid(), url: next.url }).toEqual({ pid: killed.postmaster, url: killed.url })
    process.kill(next.pid(), 'SIGKILL')
    expect(await askUntilAnswered(next.url, 'select answer from kept')).toEqual(ANSWER)
    expect(next.pid()).not.toBe(killed.postmaster)
  })

  test('an orphan that runs with other settings is stopped and started anew', async () => {
    const dataDir = await dataFolder()
    const killed = await supervisorProcess(dataDir)
    process.kill(killed.pid, 'SIGKILL')
    await killed.exited
    const { url, pid } = await startIn(dataDir, { settings: { work_mem: '5MB' } })
    expect(pid()).not.toBe(killed.postmaster)
    expect(await ask(url, 'show work_mem')).toEqual([{ work_mem: '5MB' }])
  })

  test('after a crash of the machine the pid file may name a stranger, who is left alone', async () => {
    const dataDir = await dataFolder()
    const first = await startIn(dataDir)
    await first.stop()
    const cluster = join(dataDir, 'postgres/cluster')
    const { uid, gid } = await stat(cluster)
    const stranger = spawn('sleep', ['60'], { cwd: '/', uid, gid })
    onTestFinished(() => void stranger.kill())
    const lines = [stranger.pid, cluster, 1, 5432, '', '127.0.0.1', '', 'ready', '']
    await writeFile(join(cluster, 'postmaster.pid'), lines.join('\n'))
    const { url } = await startIn(dataDir)
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(isAlive(stranger.pid ?? 0)).toBe(true)
  })
})
