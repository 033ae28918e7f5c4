import { codeAt } from '../../../server/test/code-at.ts'
import { allAnswer, type Check, expectStatus, firstOf } from '../check.ts'
import { fresh } from '../fresh.ts'
import { invite, logIn, password, signUp } from '../people.ts'
import type { Answer } from '../probe.ts'
import type { Person, World } from '../world.ts'

/** A fault unless the answer is refused with this code. */
export const expectCode = (answer: Answer, code: string): string | null =>
  answer.status >= 400 && answer.text.includes(`"${code}"`)
    ? null
    : `answered ${answer.status} instead of ${code}: ${answer.text.slice(0, 200)}`

const somebody = ({ instance, admin }: World, about: string) => invite(instance, admin, 'staff', fresh(about))
const identity = '(select id from identities where email = $1)'
/** Codes count again that were used: else each check would wait half a minute for the next one. */
const codesCountAgain = ({ sql }: World, { email }: Person) =>
  sql(`update totps set last_step = 0 where identity_id = ${identity}`, [email])

/** Sets codes of an app up; the app's secret and the recovery codes. */
async function enrol(world: World, person: Person): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { need } = world
  const { secret } = await need({ method: 'POST', path: '/auth/totp', token: person.token })
  const body = { code: codeAt(secret, new Date()) }
  const { recoveryCodes } = await need({ method: 'POST', path: '/auth/totp/confirm', token: person.token, body })
  await codesCountAgain(world, person)
  return { secret, recoveryCodes }
}

/** The first step of a login: the token that waits for the second one. */
const waiting = async ({ need }: World, { email }: Person, by = password): Promise<string> =>
  (await need({ method: 'POST', path: '/auth/login', body: { email, password: by } })).secondFactor.token
const finish = ({ ask }: World, token: string, by: object) =>
  ask({ method: 'POST', path: '/auth/second-factor', body: { token, ...by } })

/** The person's sessions proved nothing for an hour. */
const proveNothing = ({ sql }: World, { email }: Person) =>
  sql(`update sessions set proved_at = now() - interval '1 hour' where identity_id = ${identity}`, [email])

/** A fault unless, of two logins by the same second factor, the first is let in and the second is not. */
async function onceOnly(world: World, person: Person, by: object): Promise<string | null> {
  const [first, second] = [await waiting(world, person), await waiting(world, person)]
  const letIn = await finish(world, first, by)
  return expectStatus(letIn, 200) ?? expectCode(await finish(world, second, by), 'SECOND_FACTOR_WRONG')
}

/** V6 and V7, as far as they speak of second factors and of fresh proofs. */
export const factors: Check[] = [
  {
    id: '6.3.1',
    says: 'Guessing codes is stopped with 429, whatever address it comes from',
    async fault(world) {
      const person = await somebody(world, 'guessed')
      await enrol(world, person)
      for (let guess = 0; guess < 5; guess += 1) await finish(world, await waiting(world, person), { code: '000000' })
      return expectStatus(await finish(world, await waiting(world, person), { code: '000000' }), 429)
    },
    spoiled: allAnswer(400),
  },
  {
    id: '6.3.3',
    says: 'Where a company asks for a second factor, a login without one may set it up and do nothing else',
    async fault(world) {
      const { instance, need, ask } = world
      const admin = await signUp(instance, 'Strict Stores', fresh('strict'))
      await enrol(world, admin)
      const person = await invite(instance, admin, 'staff', fresh('late'))
      const body = { secondFactorFrom: new Date().toISOString(), idleMinutes: null, sessionHours: null }
      await need({ method: 'PATCH', path: '/auth/company/logins', token: admin.token, body })
      const { token } = await logIn(instance, person.email)
      const calls = ['/devices', '/groups', '/users', '/audit-log', '/live'].map(
        (path) => async () => expectCode(await ask({ method: 'GET', path, token }), 'SECOND_FACTOR_NEEDED'),
      )
      return firstOf(...calls)
    },
    spoiled: allAnswer(200),
  },
  {
    id: '6.3.4',
    says: 'A forgotten password that was set anew is no way around the second factor',
    async fault(world) {
      const { instance, need, ask } = world
      const person = await somebody(world, 'forgot')
      await enrol(world, person)
      await need({ method: 'POST', path: '/auth/forgotpassword', body: { email: person.email } })
      const token = await instance.mailedToken(person.email, 'reset')
      const other = 'nine quiet lorries drive north'
      await need({ method: 'POST', path: '/auth/resetpassword', body: { token, password: other } })
      const answer = await ask({ method: 'POST', path: '/auth/login', body: { email: person.email, password: other } })
      return answer.text.includes('accessToken') ? 'the new password alone lets in' : null
    },
    spoiled: { answer: () => ({ text: '{"tokens":{"accessToken":"x"}}' }) },
  },
  {
    id: '6.4.4',
    says: 'A lost second factor is taken away by an Admin alone, who has proved who they are',
    async fault(world) {
      const { instance, ask, manager } = world
      const boss = await signUp(instance, 'Reset Rooms', fresh('reset'))
      const person = await invite(instance, boss, 'staff', fresh('lost'))
      await enrol(world, person)
      const path = `/users/${person.id}/second-factor`
      const byManager = await ask({ method: 'DELETE', path, token: manager.token })
      await proveNothing(world, boss)
      const byBoss = await ask({ method: 'DELETE', path, token: boss.token })
      return expectStatus(byManager, 403) ?? expectCode(byBoss, 'PROOF_NEEDED')
    },
    spoiled: allAnswer(200),
  },
  {
    id: '6.5.1',
    says: 'A code of an app lets in once',
    async fault(world) {
      const person = await somebody(world, 'once')
      const { secret } = await enrol(world, person)
      return onceOnly(world, person, { code: codeAt(secret, new Date()) })
    },
    spoiled: allAnswer(200),
  },
  {
    id: '6.5.1',
    says: 'A recovery code lets in once',
    async fault(world) {
      const person = await somebody(world, 'recovered')
      const { recoveryCodes } = await enrol(world, person)
      return onceOnly(world, person, { recoveryCode: recoveryCodes[0] })
    },
    spoiled: allAnswer(200),
  },
  {
    id: '6.5.2',
    says: 'Recovery codes have at least 112 bits, and the database holds none of them',
    async fault(world) {
      const person = await somebody(world, 'stored')
      const codes = await world.look(async () => (await enrol(world, person)).recoveryCodes)
      const signs = codes.map((code) => code.replaceAll('-', ''))
      if (signs.some((each) => each.length * 5 < 112)) return `a recovery code is ${signs[0]?.length} signs long`
      const rows = await world.sql(`select to_jsonb(r)::text as row from recovery_codes r`)
      const all = rows.map(({ row }) => String(row)).join(' ')
      return signs.some((each) => all.includes(each)) ? 'a recovery code is kept as it is' : null
    },
    spoiled: { seen: ['ABCD-EFGH'] },
  },
  {
    id: '6.5.3',
    says: 'The secret of an app has 160 bits, is new each time, and is kept sealed',
    async fault(world) {
      const person = await somebody(world, 'secret')
      const made = () => world.need({ method: 'POST', path: '/auth/totp', token: person.token })
      const [one, two] = await world.look(async () => [(await made()).secret, (await made()).secret])
      if (one === two || !/^[A-Z2-7]{32}$/.test(two)) return 'the secret is no new one of 160 bits'
      const rows = await world.sql<{ sealed: Buffer }>('select secret_sealed as sealed from totps')
      return rows.some(({ sealed }) => sealed.toString('latin1').includes(two)) ? 'it is kept as it is' : null
    },
    spoiled: { seen: ['AAAA', 'AAAA'] },
  },
  {
    id: '6.5.5',
    says: 'Codes of two minutes ago, and of the next minute, let nobody in',
    async fault(world) {
      const person = await somebody(world, 'stale')
      const { secret } = await enrol(world, person)
      const at = (seconds: number) => codeAt(secret, new Date(Date.now() + seconds * 1_000))
      const tries = [-120, 60].map((seconds) => async () => {
        const answer = await finish(world, await waiting(world, person), { code: at(seconds) })
        return expectCode(answer, 'SECOND_FACTOR_WRONG')
      })
      return firstOf(...tries)
    },
    spoiled: allAnswer(200),
  },
  {
    id: '7.4.5',
    says: 'An Admin ends the sessions of one person',
    async fault(world) {
      const person = await somebody(world, 'ended')
      await world.need({ method: 'DELETE', path: `/users/${person.id}/sessions`, token: world.admin.token })
      return expectStatus(await world.ask({ method: 'GET', path: '/auth/profile', token: person.token }), 401)
    },
    spoiled: allAnswer(200),
  },
  {
    id: '7.5.1',
    says: 'What changes who may come in asks for a fresh proof: second factors, roles, invitations, single sign-on, keys, endpoints and wall screens',
    async fault(world) {
      const admin = await signUp(world.instance, 'Proof Plant', fresh('proof'))
      await proveNothing(world, admin)
      const role = { fullname: 'Somebody', email: fresh('made'), role: 'admin' }
      const tries = [
        { method: 'POST', path: '/auth/totp' },
        { method: 'POST', path: '/auth/recovery-codes' },
        { method: 'POST', path: '/users', body: role },
        { method: 'POST', path: '/users', body: { ...role, role: 'staff' } },
        { method: 'POST', path: '/wall-screens', body: {} },
        { method: 'PATCH', path: '/roles/staff', body: { modulePermissions: {} } },
        { method: 'POST', path: '/enterprise/sso/domains', body: { domain: 'proof.example' } },
        { method: 'PUT', path: '/enterprise/developer', body: { keys: [] } },
        { method: 'POST', path: '/developer/webhooks', body: {} },
      ]
      const looks = tries.map((asked) => async () => {
        const answer = await world.ask({ ...asked, token: admin.token })
        return expectCode(answer, 'PROOF_NEEDED')
      })
      return firstOf(...looks)
    },
    spoiled: allAnswer(200),
  },
  {
    id: '7.5.2',
    says: 'People see their sessions, and end any of them',
    async fault(world) {
      const person = await somebody(world, 'sees')
      const other = await logIn(world.instance, person.email)
      const { data } = await world.need({ method: 'GET', path: '/auth/sessions', token: person.token })
      const theirs = data.find(({ isThis }: { isThis: boolean }) => !isThis)
      if (!theirs) return 'the other session is not listed'
      await world.need({ method: 'DELETE', path: `/auth/sessions/${theirs.id}`, token: person.token })
      return expectStatus(await world.ask({ method: 'GET', path: '/auth/profile', token: other.token }), 401)
    },
    spoiled: allAnswer(200),
  },
]
