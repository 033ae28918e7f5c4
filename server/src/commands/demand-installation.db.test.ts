import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runMain } from '../../test/operator.ts'

test('a tool that was started without the DATA_DIR of its server says so, and makes no installation of its own', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'isotherm-nothing-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  for (const args of [
    ['provider', 'companies', 'list'],
    ['files', 'orphans'],
    ['backup', 'keys'],
  ]) {
    const answer = await runMain(dataDir, args)
    expect(answer).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('set DATA_DIR as the server has it'),
    })
  }
  expect((await runMain(dataDir, ['provider', 'billing', '--help'])).out).toContain('pause|resume')
  expect((await runMain(dataDir, ['backup', 'keys', '--installation', '0123456789abcdef'])).code).toBe(0)
  expect(await readdir(dataDir)).toEqual([])
})
