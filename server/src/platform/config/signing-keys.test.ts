import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isSignedBy, rotateSigningKey, signingKeys } from './signing-keys.ts'

async function emptyDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'isotherm-keys-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  return dir
}

test('the first start makes a key that only we can read, later ones sign with the same', async () => {
  const dir = await emptyDir()
  const [first, second] = await Promise.all([signingKeys(dir), signingKeys(dir)])
  expect(first.id).toBe(second.id)
  expect((await stat(join(dir, 'audit-keys.json'))).mode & 0o777).toBe(0o600)
  const [known] = (await signingKeys(dir)).known
  if (!known) throw new Error('no key')
  expect(isSignedBy(known, 'a', first.sign('a'))).toBe(true)
  expect(isSignedBy(known, 'b', first.sign('a'))).toBe(false)
  const [other] = (await signingKeys(await emptyDir())).known
  expect(isSignedBy(other ?? known, 'a', first.sign('a'))).toBe(false)
})

test('a new key is vouched for by the one before, whose secret half is gone', async () => {
  const dir = await emptyDir()
  const before = await signingKeys(dir)
  const secret = JSON.parse(await readFile(join(dir, 'audit-keys.json'), 'utf8')).secret
  const id = await rotateSigningKey(dir, new Date('2026-01-02T03:04:05Z'))
  const after = await signingKeys(dir)
  expect(after.id).toBe(id)
  const [old, fresh] = after.known
  if (!old || !fresh) throw new Error('keys are missing')
  expect(old).toEqual(before.known[0])
  expect(fresh).toMatchObject({ id, signedBy: old.id })
  const vow = ['isotherm-audit-key-v1', id, fresh.publicKey, fresh.from, old.id].join('\n')
  expect(isSignedBy(old, vow, Buffer.from(fresh.signature ?? '', 'base64url'))).toBe(true)
  expect(isSignedBy(fresh, 'a', after.sign('a'))).toBe(true)
  expect(await readFile(join(dir, 'audit-keys.json'), 'utf8')).not.toContain(secret)
})

test('damaged keys stop the start instead of being replaced', async () => {
  const dir = await emptyDir()
  await signingKeys(dir)
  await writeFile(join(dir, 'audit-keys.json'), '{"keys": []}')
  await expect(signingKeys(dir)).rejects.toThrow('damaged')
  await expect(rotateSigningKey(dir, new Date())).rejects.toThrow('damaged')
})
