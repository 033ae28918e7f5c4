import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { signUpInvitation } from '../../platform/auth/sign-up-invitations.ts'
import { provider } from './provider.ts'

let open: TestApp
let byInvitation: TestApp
let off: TestApp
beforeAll(async () => {
  open = await startTestApp()
  byInvitation = await startTestApp({ registration: 'invite' })
  off = await startTestApp({ registration: 'off' })
})
afterAll(async () => {
  for (const t of [open, byInvitation, off]) await t.close()
})

const register = (t: TestApp, email: string, invitation?: string) =>
  t.call('POST', '/auth/register', {
    body: { companyName: 'Cold', fullname: 'Ada Obi', email, password: 'a long enough password', invitation },
  })
const companies = async (t: TestApp) => (await t.rows<{ n: number }>('select count(*)::int as n from companies'))[0]?.n

test('the screens are told who may sign up', async () => {
  const modes = []
  for (const t of [open, byInvitation, off]) modes.push((await t.call('GET', '/auth/registration')).body.payload.mode)
  expect(modes).toEqual(['open', 'invite', 'off'])
})

test('where registration is off nobody makes a company, with an invitation neither (H4)', async () => {
  const invitation = signUpInvitation(
    off.services.secret,
    'ada@example.test',
    new Date(off.clock.now().getTime() + 1e6),
  )
  for (const answer of [await register(off, 'ada@example.test'), await register(off, 'ada@example.test', invitation)])
    expect([answer.status, answer.body.code]).toEqual([400, 'REGISTRATION_CLOSED'])
  expect(await companies(off)).toBe(0)
})

test('by invitation the provider’s link lets its own address in, once, until its end (H4)', async () => {
  const t = byInvitation
  const out: string[] = []
  const tools = {
    pool: t.pool,
    dataDir: t.services.config.dataDir,
    publicUrl: 'https://cold.example',
    out: (line: string) => void out.push(line),
  }
  expect(await provider(['invite', 'Ada@Example.test'], tools)).toBe(0)
  expect(out[0]).toMatch(/^https:\/\/cold\.example\/signup#[\w.-]+$/)
  const code = out[0]?.split('#')[1] ?? ''
  const refused = [
    await register(t, 'ada@example.test'),
    await register(t, 'eve@example.test', code),
    await register(t, 'ada@example.test', `${code.slice(0, -2)}AA`),
    await register(t, 'ada@example.test', 'nonsense'),
    await register(t, 'ada@example.test', signUpInvitation(Buffer.alloc(32), 'ada@example.test', new Date(8e15))),
    await register(t, 'ada@example.test', signUpInvitation(t.services.secret, 'ada@example.test', t.clock.now())),
  ]
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(6).fill([400, 'INVITATION_NEEDED']))
  expect(await companies(t)).toBe(0)
  expect((await register(t, 'ada@example.test', code)).status).toBe(200)
  // The address is somebody's by now: the same answer, and no second company.
  expect((await register(t, 'ada@example.test', code)).status).toBe(200)
  expect(await companies(t)).toBe(1)
})

test('an address that is none is refused at the provider’s desk', async () => {
  const said: string[] = []
  const tools = { pool: open.pool, dataDir: open.services.config.dataDir, publicUrl: 'https://cold.example' }
  expect(await provider(['invite', 'ada'], { ...tools, out: (line) => void said.push(line) })).toBe(2)
  expect(said.join()).toContain('mail address')
})
