import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { StartRefused } from '../platform/errors/start-refused.ts'
import { forOperator } from './for-operator.ts'

const errorOf = (work: Promise<unknown>) => work.then(String, (error: unknown) => error)

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'for-operator-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

/** A port that nobody listens at. */
async function closedPort() {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}

test('a file in the place of DATA_DIR is named', async () => {
  const file = join(await folder(), 'data')
  await writeFile(file, '')
  expect(forOperator(await errorOf(mkdir(file, { recursive: true })))).toContain(`${file} cannot be used`)
  expect(forOperator(await errorOf(mkdir(join(file, 'more'), { recursive: true })))).toContain('cannot be used')
})

test('a folder of another user is named with the user that Isotherm runs as', () => {
  const error = Object.assign(new Error('EACCES: permission denied, mkdir'), {
    ...{ code: 'EACCES', syscall: 'mkdir', path: '/srv/data' },
  })
  expect(forOperator(error)).toContain(
    `/srv/data is closed to the user that Isotherm runs as (uid ${process.getuid?.()})`,
  )
})

test('a full disk is told as such', () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
  expect(forOperator(error)).toBe('No room is left on the disk.')
  const ofDatabase = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' })
  expect(forOperator(ofDatabase)).toContain('PostgreSQL has no room left on its disk: could not extend file')
})

test('a database that does not answer leads to DATABASE_URL, by address as by name', async () => {
  const port = await closedPort()
  for (const host of ['127.0.0.1', 'localhost']) {
    const error = await errorOf(new pg.Client({ host, port, user: 'a', database: 'b' }).connect())
    const sentence = forOperator(error)
    expect(sentence).toContain(`ECONNREFUSED 127.0.0.1:${port}`)
    expect(sentence).toContain('Look at DATABASE_URL')
  }
})

test('a refused login says so in the words of PostgreSQL', () => {
  const error = Object.assign(new Error('password authentication failed for user "isotherm"'), { code: '28P01' })
  expect(forOperator(error)).toBe(
    'PostgreSQL refuses the login: password authentication failed for user "isotherm". Look at DATABASE_URL, and whether that PostgreSQL runs.',
  )
})

test('an address that is not of this machine leads to HOST', async () => {
  const server = createServer()
  const error = await new Promise((done) => server.once('error', done).listen(1, '192.0.2.1'))
  expect(forOperator(error)).toContain('Look at HOST')
})

test('a reason to refuse the start is its sentence alone, and a mistake of ours keeps its stack', async () => {
  expect(forOperator(new StartRefused('The database is ahead of this version'))).toBe(
    'The database is ahead of this version',
  )
  expect(forOperator(new TypeError('x is undefined'))).toBeNull()
  const socket = connect({ path: '/nowhere/at/all' })
  expect(forOperator(await new Promise((done) => socket.once('error', done)))).toContain('does not answer')
})
