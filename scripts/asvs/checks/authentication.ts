import { allAnswer, allSay, type Check, expectStatus } from '../check.ts'
import { fresh } from '../fresh.ts'
import { invite, logIn, password } from '../people.ts'
import type { World } from '../world.ts'

const logInBy = ({ ask }: World, email: string, given: string) =>
  ask({ method: 'POST', path: '/auth/login', body: { email, password: given } })

/** Somebody of their own, so that what happens to them stops no other check. */
const somebody = ({ instance, admin }: World, about: string) => invite(instance, admin, 'staff', fresh(about))

const change = (world: World, token: string, newPassword: string, currentPassword = password) =>
  world.ask({ method: 'PATCH', path: '/auth/user/password', token, body: { currentPassword, newPassword } })

/** A fault unless every one of these passwords is refused. */
const refusedPasswords =
  (...passwords: string[]): Check['fault'] =>
  async (world) => {
    const { token } = await somebody(world, 'password')
    for (const given of passwords) if ((await change(world, token, given)).status === 200) return `taken: ${given}`
    return null
  }

/** V6: authentication. */
export const authentication: Check[] = [
  {
    id: '6.1.1',
    says: 'Wrong passwords of a stranger do not keep somebody out',
    async fault(world) {
      const person = await somebody(world, 'locked')
      for (let tries = 0; tries < 12; tries++)
        await world.ask({
          method: 'POST',
          path: '/auth/login',
          body: { email: person.email, password: 'wrong wrong wrong' },
          headers: { 'x-forwarded-for': '198.19.7.7' },
        })
      return expectStatus(await logInBy(world, person.email, password), 200)
    },
    spoiled: allAnswer(429),
  },
  {
    id: '6.2.1',
    says: 'A password of nine letters is too short',
    fault: refusedPasswords('abcdefghi'),
    spoiled: allAnswer(200),
  },
  {
    id: '6.2.2',
    says: 'People can change their password',
    async fault(world) {
      const { token, email } = await somebody(world, 'change')
      const next = 'eight white vans wait outside'
      return expectStatus(await change(world, token, next), 200) ?? expectStatus(await logInBy(world, email, next), 200)
    },
    spoiled: allAnswer(404),
  },
  {
    id: '6.2.3',
    says: 'Changing a password asks for the one it replaces',
    async fault(world) {
      const { token } = await somebody(world, 'current')
      return expectStatus(await change(world, token, 'eight white vans wait', 'not the password'), 400)
    },
    spoiled: allAnswer(200),
  },
  {
    id: '6.2.4',
    says: 'A password of the most used ones is refused',
    fault: refusedPasswords('1234567890', 'qwertyuiop', 'password123'),
    spoiled: allAnswer(200),
  },
  {
    id: '6.2.5',
    says: 'A passphrase of small letters alone is taken: no rule asks for kinds of characters',
    async fault(world) {
      const { token } = await somebody(world, 'letters')
      return expectStatus(await change(world, token, 'onlysmalllettersofmine'), 200)
    },
    spoiled: allAnswer(422),
  },
  {
    id: '6.2.8',
    says: 'A password counts as it is: another case or a cut end is another password',
    async fault(world) {
      const { email } = await somebody(world, 'exact')
      for (const near of [password.toUpperCase(), password.slice(0, -1), `${password} `])
        if ((await logInBy(world, email, near)).status === 200) return `"${near}" opens a session`
      return null
    },
    spoiled: allAnswer(200),
  },
  {
    id: '6.2.9',
    says: 'A password may have 64 characters, and any of them',
    async fault(world) {
      const { token, email } = await somebody(world, 'long')
      const long = `ü ${'quiet snow over the cold store '.repeat(3)}`.slice(0, 90).trim()
      return expectStatus(await change(world, token, long), 200) ?? expectStatus(await logInBy(world, email, long), 200)
    },
    spoiled: allAnswer(422),
  },
  {
    id: '6.2.11',
    says: 'A password of the product or of the company is refused',
    fault: refusedPasswords('isotherm2026', 'Cold Rooms 2026'),
    spoiled: allAnswer(200),
  },
  {
    id: '6.2.12',
    says: 'A password known from breaches is refused',
    fault: refusedPasswords('Password123!', 'iloveyou123'),
    spoiled: allAnswer(200),
  },
  {
    id: '6.3.1',
    says: 'Guessing passwords is stopped with 429',
    async fault(world) {
      const person = await somebody(world, 'guessed')
      for (let tries = 0; tries < 40; tries++) {
        const answer = await logInBy(world, person.email, `guess number ${tries}`)
        if (answer.status === 429) return answer.headers['retry-after'] ? null : 'no Retry-After'
      }
      return '40 wrong passwords, no 429'
    },
    spoiled: allAnswer(400),
  },
  {
    id: '6.3.2',
    says: 'No account is there by default',
    async fault(world) {
      for (const [email, given] of [
        ['admin@demo.test', 'isotherm-demo'],
        ['admin@isotherm.test', 'admin'],
        ['admin@localhost.test', 'password'],
      ])
        if ((await logInBy(world, email ?? '', given ?? '')).status === 200) return `${email} is there`
      return null
    },
    spoiled: allAnswer(200),
  },
  {
    id: '6.3.8',
    says: 'A login tells nobody whether an address has an account',
    async fault(world) {
      const known = await logInBy(world, world.staff.email, 'not the password')
      const unknown = await logInBy(world, fresh('unknown'), 'not the password')
      return known.status === unknown.status && known.text === unknown.text ? null : `${known.text} / ${unknown.text}`
    },
    spoiled: { answer: (_, { body }) => ({ text: JSON.stringify(body) }) },
  },
  {
    id: '6.3.8',
    says: 'A forgotten password and a registration do not tell it either',
    async fault({ ask, staff }) {
      const about = (email: string) => [
        { path: '/auth/forgotpassword', body: { email } },
        { path: '/auth/register', body: { companyName: 'Twins', fullname: 'Ann', email, password } },
      ]
      const stranger = fresh('nobody')
      for (const [index, { path, body }] of about(staff.email).entries()) {
        const other = about(stranger)[index]
        const known = await ask({ method: 'POST', path, body })
        const unknown = await ask({ method: 'POST', path, body: other?.body })
        if (known.status !== unknown.status) return `${path}: ${known.status} and ${unknown.status}`
        if (known.text.replaceAll(staff.email, '') !== unknown.text.replaceAll(stranger, ''))
          return `${path}: ${known.text} / ${unknown.text}`
      }
      return null
    },
    spoiled: { answer: (_, { body }) => ({ text: JSON.stringify(body).length.toString() }) },
  },
  {
    id: '6.4.1',
    says: 'A link of an invitation has at least 128 bits and works once',
    async fault({ ask, need, admin, instance, look }) {
      const email = fresh('once')
      await need({ method: 'POST', path: '/users', token: admin.token, body: { fullname: 'Bo', email, role: 'staff' } })
      const token = await instance.mailedToken(email, 'usersetup')
      const shown = await look(async () => token)
      if (shown.length < 22) return `the token has ${shown.length} characters`
      await need({ method: 'POST', path: '/users/setup', body: { token, password } })
      return expectStatus(
        await ask({ method: 'POST', path: '/users/setup', body: { token, password: 'another fine phrase' } }),
        400,
      )
    },
    spoiled: { seen: '123456' },
  },
  {
    id: '6.4.1',
    says: 'An invitation ends after seven days',
    async fault(world) {
      const { ask, need, admin, instance, sql } = world
      const email = fresh('late')
      await need({ method: 'POST', path: '/users', token: admin.token, body: { fullname: 'Bo', email, role: 'staff' } })
      const token = await instance.mailedToken(email, 'usersetup')
      await sql(
        `update mail_tokens set expires_at = expires_at - interval '8 days' where id = (select max(id) from mail_tokens)`,
      )
      return expectStatus(await ask({ method: 'POST', path: '/users/setup', body: { token, password } }), 400)
    },
    spoiled: allAnswer(200),
  },
  {
    id: '6.4.3',
    says: 'A forgotten password is set anew by a mailed link alone, which ends every session',
    async fault(world) {
      const { ask, need, instance } = world
      const person = await somebody(world, 'forgot')
      await need({ method: 'POST', path: '/auth/forgotpassword', body: { email: person.email } })
      const token = await instance.mailedToken(person.email, 'reset')
      await need({ method: 'PATCH', path: `/auth/resetpassword/${token}`, body: { password: 'a wholly new phrase' } })
      const answer = await ask({ method: 'GET', path: '/auth/profile', token: person.token })
      return (
        expectStatus(answer, 401) ?? ((await logIn(instance, person.email, 'a wholly new phrase')) ? null : 'no login')
      )
    },
    spoiled: allAnswer(200),
  },
  {
    id: '6.5.1',
    says: 'A link for a new password works once',
    async fault(world) {
      const { ask, need, instance } = world
      const person = await somebody(world, 'again')
      await need({ method: 'POST', path: '/auth/forgotpassword', body: { email: person.email } })
      const path = `/auth/resetpassword/${await instance.mailedToken(person.email, 'reset')}`
      await need({ method: 'PATCH', path, body: { password: 'a wholly new phrase' } })
      return expectStatus(await ask({ method: 'PATCH', path, body: { password: 'one more new phrase' } }), 400)
    },
    spoiled: allSay('{}', 200),
  },
]
