import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { noPrograms, type PostgresPair, programs, startPair, until } from '../../../test/postgres-pair.ts'
import { createLog } from '../log/log.ts'
import { connectionOf, watchHosts } from './connection.ts'
import { hostsIn } from './host-list.ts'
import { Hosts } from './hosts.ts'
import { createPool, type Pool } from './pool.ts'

const portSql = 'select inet_server_port() as port'
const portOf = async (pool: Pool) => (await pool.query<{ port: number }>(portSql)).rows[0]?.port

test('an address names one host or several, each with its port', () => {
  const names = (url: string) => hostsIn(url)?.map(({ host, port, url: own }) => [host, port, own])
  expect(names('postgres://u:p@a:5432,b/d?x=1')).toEqual([
    ['a', 5432, 'postgres://u:p@a:5432/d?x=1'],
    ['b', 5432, 'postgres://u:p@b/d?x=1'],
  ])
  expect(names('postgresql://[::1]:5433/d')).toEqual([['::1', 5433, 'postgresql://[::1]:5433/d']])
  expect(names('postgres:///d?host=/run/postgresql')).toHaveLength(1)
  for (const wrong of ['mysql://a/d', 'postgres://a:x/d', 'postgres://a,,b/d', 'postgres://a,a/d'])
    expect(hostsIn(wrong), wrong).toBeNull()
})

test('the address of one host goes to the driver as it is', () => {
  const { types, options, ...connection } = connectionOf('postgres://u@a:1/d')
  expect(connection).toEqual({ connectionString: 'postgres://u@a:1/d' })
})

test('TLS with several hosts: a certificate may be that of any of them, and of nobody else', () => {
  const { ssl, connectionString } = connectionOf('postgres://u@db-1,db-2/d?sslmode=verify-full')
  expect(connectionString).toBe('postgres://u@db-1/d')
  const { checkServerIdentity } = ssl as { checkServerIdentity(name: string, certificate: object): Error | undefined }
  const of = (name: string) => checkServerIdentity('db-1', { subject: { CN: name }, subjectaltname: `DNS:${name}` })
  expect(of('db-2')).toBeUndefined()
  expect(of('db-3')).toBeInstanceOf(Error)
})

describe.skipIf(!programs())(`a primary and a standby (else: ${noPrograms})`, () => {
  let pair: PostgresPair
  beforeAll(async () => {
    pair = await startPair({ synchronous: false }, { fsync: 'off' })
  }, 120_000)
  afterAll(() => pair?.stop())

  test('the primary is found whatever the order; after its death the promoted standby; a former primary that comes back is not used', async () => {
    const { primary, standby } = pair
    const reversed = `postgres://isotherm@${standby.name},${primary.name}/isotherm`
    const pool = createPool(reversed, 2, () => {})
    onTestFinished(() => pool.end())
    onTestFinished(watchHosts(reversed, createLog('silent')))
    expect(await portOf(pool)).toBe(primary.port)

    await primary.kill()
    await standby.promote()
    expect(await portOf(pool)).toBe(standby.port)

    // It knows nothing of the promotion, and would take writes.
    await primary.start()
    expect(await primary.ask('select pg_is_in_recovery() as is')).toEqual([{ is: false }])
    const fresh = createPool(pair.url, 1, () => {})
    onTestFinished(() => fresh.end())
    expect(await portOf(fresh)).toBe(standby.port)

    // Not even where it is alone.
    await standby.kill()
    const refused = await pool.query(portSql).catch((error: Error) => error.message)
    expect(refused).toMatch(/Connection terminated|ECONNRESET|takes writes/)
    await expect(pool.query(portSql)).rejects.toThrow(`${standby.name} does not answer`)
    await standby.start()
    expect(await portOf(pool)).toBe(standby.port)
  }, 120_000)

  test('connections to a primary that was replaced while it still runs are cut', async () => {
    const other = await startPair({ synchronous: false }, { fsync: 'off' })
    onTestFinished(() => other.stop())
    const pool = createPool(other.url, 2, () => {})
    onTestFinished(() => pool.end())
    onTestFinished(watchHosts(other.url, createLog('silent')))
    const client = await pool.connect()
    const cut = new Promise<Error>((resolve) => client.on('error', resolve))
    await client.query('begin')
    await other.standby.promote()
    expect((await cut).message).toContain('the database moved')
    client.release(true)
    await until(async () => (await portOf(pool).catch(() => 0)) === other.standby.port)
  }, 120_000)

  test('hosts that are no copies of one another are refused', async () => {
    const stranger = await startPair({ synchronous: false }, { fsync: 'off' })
    onTestFinished(() => stranger.stop())
    const url = `postgres://isotherm@${stranger.primary.name},${pair.standby.name}/isotherm`
    const hosts = new Hosts(hostsIn(url) ?? [])
    await expect(hosts.find()).rejects.toThrow('no copies of one another')
  }, 120_000)
})
