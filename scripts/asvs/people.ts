import type { Role } from '@isotherm/contract/permissions.ts'
import type { Instance } from './instance.ts'
import { type People, type Person, worldFor } from './world.ts'

export const password = 'seven teal refrigerators hum'

/** Signs up, verifies and logs in. */
export async function signUp(instance: Instance, companyName: string, email: string): Promise<Person> {
  const { need } = worldFor(instance, nobody)
  const fullname = `Admin of ${companyName}`
  await need({ method: 'POST', path: '/auth/register', body: { companyName, fullname, email, password } })
  const token = await instance.mailedToken(email, 'verify')
  await need({ method: 'POST', path: '/auth/verify', body: { token } })
  return logIn(instance, email)
}

/** Invites somebody, who sets a password and logs in. */
export async function invite(instance: Instance, by: Person, role: Role, email: string): Promise<Person> {
  const { need } = worldFor(instance, nobody)
  await need({ method: 'POST', path: '/users', token: by.token, body: { fullname: `The ${role}`, email, role } })
  const token = await instance.mailedToken(email, 'usersetup')
  await need({ method: 'POST', path: '/users/setup', body: { token, password } })
  return logIn(instance, email)
}

/** A new session of a person whose password is `password`, or the one given. */
export async function logIn(instance: Instance, email: string, by = password): Promise<Person> {
  const { need } = worldFor(instance, nobody)
  const { user, tokens } = await need({ method: 'POST', path: '/auth/login', body: { email, password: by } })
  return { id: user.id, email, fullname: user.fullname, token: tokens.accessToken }
}

const nowhere = { id: '', email: '', fullname: '', token: '' }
const nobody: People = {
  ...{ admin: nowhere, manager: nowhere, staff: nowhere, stranger: nowhere },
  device: { id: '', imei: '', secret: '' },
}

const imei = '490154203237518'

/** Everybody the checks need. */
export async function settle(instance: Instance): Promise<People> {
  const admin = await signUp(instance, 'Cold Rooms', 'admin@asvs.test')
  const [stranger, manager, staff] = await Promise.all([
    signUp(instance, 'Warm Halls', 'stranger@asvs.test'),
    invite(instance, admin, 'manager', 'manager@asvs.test'),
    invite(instance, admin, 'staff', 'staff@asvs.test'),
  ])
  return { admin, manager, staff, stranger, device: await setUpDevice(instance, admin) }
}

async function setUpDevice(instance: Instance, admin: Person): Promise<People['device']> {
  const { need } = worldFor(instance, nobody)
  const printed = await instance.provider('devices', 'import', `imei,type\n${imei},tracker\n`)
  const [, secret = '', claimCode = ''] = /^490154203237518,tracker,([^,\s]+),\d+,([^,\s]+)/m.exec(printed) ?? []
  const keys = await instance.provider('licences', 'issue', '--devices', '1', '--months', '12', '--count', '1')
  const licenceKey = /^[A-Z0-9-]{12,}$/m.exec(keys)?.[0]
  const body = { imei, name: 'Fridge', licenceKey, claimCode }
  const made = await need({ method: 'POST', path: '/devices/setup', token: admin.token, body })
  return { id: made.id ?? made.device.id, imei, secret: made.secret ?? secret }
}
