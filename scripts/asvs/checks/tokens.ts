import { allAnswer, type Check, expectStatus, firstOf } from '../check.ts'
import { fresh } from '../fresh.ts'
import { signUp } from '../people.ts'
import type { World } from '../world.ts'

const all = { view: true, addOrEdit: true, export: true }
const permissions = Object.fromEntries(
  ['devices', 'groups', 'alarms', 'reports', 'users', 'dispatch', 'payments'].map((module) => [
    module,
    { ...all, addOrEdit: module !== 'users' },
  ]),
)

/** A company with an API key that has every permission. */
async function withKey(world: World, more: object = {}) {
  const admin = await signUp(world.instance, 'Key Keepers', fresh('keys'))
  const body = { keys: [{ name: 'Everything', permissions, ...more }] }
  const { keys } = await world.need({ method: 'PUT', path: '/enterprise/developer', token: admin.token, body })
  return { admin, id: keys[0].id as string, secret: keys[0].secret as string }
}

/** V9 and what the standard says of the secrets of programs. */
export const tokens: Check[] = [
  {
    id: '9.1.1',
    says: 'A proof whose signature was changed is not genuine, nor is one that needs none',
    async fault({ ask, need }) {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const { keys } = await need({ method: 'GET', path: '/proofs/keys' })
      const kid = keys.at(-1)?.kid
      const heads = [{ alg: 'none' }, { alg: 'HS256', kid }, { alg: 'EdDSA', kid }, { alg: 'EdDSA', kid: 'other' }]
      const looks = heads.map((head) => async () => {
        const jws = `${part({ typ: 'isotherm-proof+jws', ...head })}.${part({ type: 'isotherm-record-v1' })}.${'A'.repeat(86)}`
        const { text } = await ask({ method: 'POST', path: '/proofs/check', body: { jws } })
        return JSON.parse(text).payload?.isGenuine === false ? null : `${head.alg}: ${text.slice(0, 200)}`
      })
      return firstOf(...looks)
    },
    spoiled: { answer: () => ({ text: '{"payload":{"isGenuine":true}}' }) },
  },
  {
    id: '13.3.2',
    says: 'An API key may do what it was given and nothing that makes keys, Admins or logins',
    async fault(world) {
      const { secret } = await withKey(world)
      const open = await world.ask({ method: 'GET', path: '/devices', token: secret })
      const closed = [
        { method: 'GET', path: '/enterprise/developer' },
        { method: 'PUT', path: '/enterprise/developer', body: { keys: [] } },
        { method: 'GET', path: '/enterprise/sso' },
        { method: 'GET', path: '/auth/profile' },
        { method: 'POST', path: '/auth/totp' },
        { method: 'GET', path: '/live' },
      ]
      const looks = closed.map((asked) => async () => expectStatus(await world.ask({ ...asked, token: secret }), 403))
      return firstOf(async () => expectStatus(open, 200), ...looks)
    },
    spoiled: allAnswer(200),
  },
  {
    id: '13.3.1',
    says: 'The database holds no API key as it is',
    async fault(world) {
      const { secret, rows } = await world.look(async () => {
        const made = await withKey(world)
        const kept = await world.sql<{ row: string }>('select to_jsonb(k)::text as row from api_key_secrets k')
        return { secret: made.secret, rows: kept.map(({ row }) => row) }
      })
      if (!/^isokey_[0-9A-Za-z]{49}$/.test(secret)) return `a key is ${secret.slice(0, 12)}...`
      const kept = [secret, Buffer.from(secret).toString('hex')]
      return rows.some((row) => kept.some((each) => row.includes(each))) ? 'a key is kept as it is' : null
    },
    spoiled: { seen: { secret: `isokey_${'a'.repeat(49)}`, rows: [`{"secret": "isokey_${'a'.repeat(49)}"}`] } },
  },
  {
    id: '13.3.4',
    says: 'An API key ends when it was revoked, when its time is over, and outside of its networks',
    async fault(world) {
      const devices = (token: string) => world.ask({ method: 'GET', path: '/devices', token })
      const [gone, old, far] = [
        await withKey(world),
        await withKey(world),
        await withKey(world, { networks: ['203.0.113.0/24'] }),
      ]
      await world.need({ method: 'DELETE', path: `/developer/keys/${gone.id}`, token: gone.admin.token })
      await world.sql(`update api_key_secrets set expires_at = now() - interval '1 minute' where key_id = $1`, [old.id])
      return firstOf(
        async () => expectStatus(await devices(gone.secret), 401),
        async () => expectStatus(await devices(old.secret), 401),
        async () => expectStatus(await devices(far.secret), 401),
      )
    },
    spoiled: allAnswer(200),
  },
  {
    id: '1.3.6',
    says: 'An endpoint of webhooks within the own network is refused, however it is written',
    async fault(world) {
      const { admin } = await withKey(world)
      const hosts = ['127.0.0.1', '169.254.169.254', 'localhost.', '[::1]', '[::ffff:7f00:1]', '0x7f.1', '[fd00::1]']
      const urls = [...hosts.map((host) => `https://${host}/`), 'http://hooks.example/', 'https://hooks.example:25/']
      const looks = urls.map((url) => async () => {
        const body = { url, events: ['device.claimed'] }
        return expectStatus(
          await world.ask({ method: 'POST', path: '/developer/webhooks', token: admin.token, body }),
          422,
        )
      })
      return firstOf(...looks)
    },
    spoiled: allAnswer(200),
  },
]
