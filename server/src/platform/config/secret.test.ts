import { mkdtemp, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { installationSecret } from './secret.ts'

async function emptyDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'isotherm-secret-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  return dir
}

test('the first start makes a secret that only we can read, later ones read the same', async () => {
  const dir = await emptyDir()
  const secret = await installationSecret(dir)
  expect(secret).toHaveLength(32)
  expect((await stat(join(dir, 'secret.key'))).mode & 0o777).toBe(0o600)
  expect(await installationSecret(dir)).toEqual(secret)
  expect(await installationSecret(await emptyDir())).not.toEqual(secret)
})

test('first starts at the same time agree', async () => {
  const dir = await emptyDir()
  const secrets = await Promise.all([installationSecret(dir), installationSecret(dir)])
  expect(secrets[0]).toEqual(secrets[1])
})

test('a damaged secret stops the start instead of being replaced', async () => {
  const dir = await emptyDir()
  await installationSecret(dir)
  await truncate(join(dir, 'secret.key'), 5)
  await expect(installationSecret(dir)).rejects.toThrow('damaged')
})
