import { expect, test } from 'vitest'
import { checkPassword, hashPassword, ownAddress } from './passwords.ts'

test('a new password is hashed as OWASP asks: argon2id, 19 MiB, 2 passes, 1 lane', async () => {
  const hash = await hashPassword('correct horse battery', ownAddress)
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(await hashPassword('correct horse battery', ownAddress)).not.toBe(hash)
  expect(await checkPassword('correct horse battery', hash, ownAddress)).toBe(true)
  expect(await checkPassword('correct horse', hash, ownAddress)).toBe(false)
})
