import { createHash } from 'node:crypto'
import { allAnswer, type Check, expectStatus } from '../check.ts'
import { fresh } from '../fresh.ts'
import { invite, logIn, password } from '../people.ts'
import type { World } from '../world.ts'

const profile = ({ ask }: World, token: string) => ask({ method: 'GET', path: '/auth/profile', token })
const somebody = ({ instance, admin }: World, about: string) => invite(instance, admin, 'staff', fresh(about))
const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** A fault unless a session that was aged by this statement is over; $1 is its hash. */
const overAfter =
  (statement: string): Check['fault'] =>
  async (world) => {
    const { token } = await somebody(world, 'aged')
    await world.sql(statement, [hashOf(token)])
    return expectStatus(await profile(world, token), 401)
  }

/** V7: sessions. V9: self-contained tokens. */
export const sessions: Check[] = [
  {
    id: '7.2.1',
    says: 'A token that was made up opens nothing',
    fault: async (world) => expectStatus(await profile(world, 'A'.repeat(43)), 401),
    spoiled: allAnswer(200),
  },
  {
    id: '7.2.3',
    says: 'A token has 256 bits and says nothing of its person',
    async fault({ look, instance, staff }) {
      const token = await look(async () => (await logIn(instance, staff.email)).token)
      return /^[\w-]{43}$/.test(token) ? null : `a token is ${token.slice(0, 8)}...`
    },
    spoiled: { seen: 'eyJhbGciOi.abc' },
  },
  {
    id: '7.2.4',
    says: 'Each login makes a new token',
    async fault({ look, instance, staff }) {
      const [one, two] = await look(async () => [
        (await logIn(instance, staff.email)).token,
        (await logIn(instance, staff.email)).token,
      ])
      return one === two ? 'two logins, one token' : null
    },
    spoiled: { seen: ['same', 'same'] },
  },
  {
    id: '7.3.1',
    says: 'A session that nobody used for eight days is over',
    fault: overAfter(
      `update sessions set last_seen_at = now() - interval '8 days', created_at = now() - interval '9 days'
       where token_hash = $1`,
    ),
    spoiled: allAnswer(200),
  },
  {
    id: '7.3.2',
    says: 'A session ends 31 days after its login, however much it is used',
    fault: overAfter(`update sessions set created_at = now() - interval '31 days' where token_hash = $1`),
    spoiled: allAnswer(200),
  },
  {
    id: '7.4.1',
    says: 'Logging out ends the session on the server',
    async fault(world) {
      const { token } = await somebody(world, 'out')
      await world.need({ method: 'POST', path: '/auth/logout', token })
      return expectStatus(await profile(world, token), 401)
    },
    spoiled: allAnswer(200),
  },
  {
    id: '7.4.2',
    says: 'Removing a person ends their sessions at once',
    async fault(world) {
      const person = await somebody(world, 'gone')
      await world.need({ method: 'DELETE', path: `/users/${person.id}`, token: world.admin.token })
      return expectStatus(await profile(world, person.token), 401)
    },
    spoiled: allAnswer(200),
  },
  {
    id: '7.4.3',
    says: 'A new password ends the other sessions of the person',
    async fault(world) {
      const person = await somebody(world, 'others')
      const other = await logIn(world.instance, person.email)
      const body = { currentPassword: password, newPassword: 'eight white vans wait outside' }
      await world.need({ method: 'PATCH', path: '/auth/user/password', token: person.token, body })
      return expectStatus(await profile(world, other.token), 401)
    },
    spoiled: allAnswer(200),
  },
  {
    id: '7.4.3',
    says: 'The live stream of a session that ended closes',
    async fault(world) {
      const person = await somebody(world, 'stream')
      const answer = await world.look(async () => {
        const stream = await fetch(`${world.instance.base}/app/api/v1/live`, {
          headers: { authorization: `Bearer ${person.token}`, 'x-forwarded-for': world.address },
          signal: AbortSignal.timeout(20_000),
        })
        await world.need({ method: 'POST', path: '/auth/logout', token: person.token })
        return stream.text().then(
          () => 'closed',
          (error: Error) => error.name,
        )
      })
      return answer === 'closed' ? null : `the stream stayed open: ${answer}`
    },
    spoiled: { seen: 'TimeoutError' },
  },
  {
    id: '9.1.2',
    says: 'A token that signs itself, or says that it needs no signature, opens nothing',
    async fault(world) {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const token = `${part({ alg: 'none' })}.${part({ sub: world.admin.id, role: 'admin' })}.`
      return expectStatus(await profile(world, token), 401)
    },
    spoiled: allAnswer(200),
  },
]
