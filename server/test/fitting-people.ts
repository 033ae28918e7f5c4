import { anAuthenticator } from './authenticator.ts'
import { codeAt } from './code-at.ts'
import { withCodes } from './factor-factory.ts'
import { buildUser, only, password } from './factories.ts'
import type { Scene } from './fitting-calls.ts'
import { SentFile } from './form.ts'
import { logoPng } from './logo-factory.ts'

const inSandbox = (body: object): Scene => {
  return async ({ own }) => {
    await own('POST', '/developer/sandbox')
    const { accessToken } = await own('POST', '/developer/sandbox/open')
    return { token: accessToken, body }
  }
}
const withSandbox: Scene = async ({ own }) => {
  await own('POST', '/developer/sandbox')
  return {}
}
const withCodesSet: Scene = async ({ t, admin }) => {
  await withCodes(t, admin)
  return {}
}

/** How the calls of companies, people, keys and sandboxes get something to do. */
export const peopleScenes: Record<string, Scene> = {
  'company.changeLogo': () => ({ body: { file: new SentFile('logo.png', logoPng()) } }),
  'developer.save': () => ({ body: { keys: [{ name: 'Warehouse', permissions: only('devices.view') }] } }),
  'sandbox.open': withSandbox,
  'sandbox.end': withSandbox,
  'sandboxClock.wind': inSandbox({ minutes: 60 }),
  'sandboxClock.play': inSandbox({ kind: 'doorOpen' }),
  'users.invite': () => ({ body: { role: 'staff' } }),
  // It asks for a proof, which a key cannot give.
  'users.changeRole': ({ admin }) => ({ token: admin.token }),
  'users.change': () => ({ body: { role: 'manager' } }),
  'users.inviteAgain': async ({ own }) => {
    const invited = { fullname: 'Kofi Mensah', email: `kofi${Date.now()}@example.test`, role: 'staff' }
    const { id } = await own('POST', '/users', invited)
    return { ids: { id } }
  },
  'security.prove': () => ({ body: { password } }),
  'security.confirmCodes': async ({ t, own }) => {
    const { secret } = await own('POST', '/auth/totp')
    return { body: { code: codeAt(secret, t.clock.now()) } }
  },
  'security.removeCodes': withCodesSet,
  'security.makeRecoveryCodes': withCodesSet,
  'security.addPasskey': async ({ own }) => {
    const { token, options } = await own('POST', '/auth/passkeys/start')
    const key = anAuthenticator({ origin: 'http://localhost:8080', host: 'localhost' })
    return { body: { token, answer: key.create(options), name: 'Phone' } }
  },
  'security.changeRules': () => ({ body: { secondFactorFrom: null, idleMinutes: 60, sessionHours: null } }),
  'security.resetSecondFactor': async ({ t, companyId }) => {
    const other = await buildUser(t, { company: { companyId }, role: 'staff' })
    await withCodes(t, other)
    return { ids: { id: other.id } }
  },
}
