import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { allAnswer, allSay, type Check, expectStatus, refused, withHeader } from '../check.ts'
import { fresh } from '../fresh.ts'
import { invite, password, signUp } from '../people.ts'
import type { World } from '../world.ts'

const json = { 'content-type': 'application/json' }

/** The lines of the log that hold a text, once there is one. */
async function logged({ instance }: World, text: string): Promise<string[]> {
  for (let tries = 0; tries < 100; tries++) {
    const found = instance
      .log()
      .split('\n')
      .filter((line) => line.includes(text))
    if (found.length > 0) return found
    await sleep(50)
  }
  return []
}

/** V11: cryptography. V13: configuration. V14: data protection. V15: secure coding. V16: logging and errors. */
export const operation: Check[] = [
  {
    id: '11.4.2',
    says: 'Passwords are kept as argon2id',
    async fault({ sql, look }) {
      const hashes = await look(
        async () => (await sql('select password_hash from identities')) as { password_hash: string }[],
      )
      const bad = hashes.find(({ password_hash: hash }) => hash && !String(hash).startsWith('$argon2id$'))
      return hashes.length > 0 && !bad ? null : `kept: ${bad?.password_hash.slice(0, 12) ?? 'nothing'}`
    },
    spoiled: { seen: [{ password_hash: '5f4dcc3b5aa765d61d8327deb882cf99' }] },
  },
  {
    id: '11.5.1',
    says: 'Tokens are kept as hashes only',
    async fault({ sql, look, admin }) {
      const kept = await look(async () => JSON.stringify(await sql('select * from sessions')))
      return kept.includes('"token"') || kept.includes(admin.token) ? 'the token stands in the database' : null
    },
    spoiled: { seen: '[{"token":"abc"}]' },
  },
  {
    id: '13.2.2',
    says: 'The login of the server is no superuser of the database and reads no tenant',
    async fault({ sql, look }) {
      const found = await look(async () => {
        const [role] = await sql('select rolsuper, rolbypassrls from pg_roles where rolname = current_user')
        const seen = await sql('select 1 from users limit 1').catch(() => [])
        return { ...role, seen: seen.length }
      })
      return JSON.stringify(found) === JSON.stringify({ rolsuper: false, rolbypassrls: false, seen: 0 })
        ? null
        : JSON.stringify(found)
    },
    spoiled: { seen: { rolsuper: true, rolbypassrls: false, seen: 0 } },
  },
  {
    id: '13.2.1',
    says: 'The database asks for a password',
    async fault({ instance, look }) {
      const url = new URL(instance.databaseUrl)
      url.password = ''
      const opened = await look(async () => {
        const client = new pg.Client({ connectionString: url.href, password: 'wrong' })
        try {
          await client.connect()
          await client.end()
          return true
        } catch {
          return false
        }
      })
      return opened ? 'a wrong password opens it' : null
    },
    spoiled: { seen: true },
  },
  {
    id: '13.3.1',
    says: 'Files with secrets are for the account of the server alone',
    async fault({ instance, look }) {
      const open = await look(async () => {
        const names = (await readdir(instance.dataDir)).filter((name) => /secret|keys?\b|\.key|ledger/.test(name))
        if (names.length === 0) return ['no secret is there']
        const modes = await Promise.all(
          names.map(async (name) => [name, (await stat(join(instance.dataDir, name))).mode]),
        )
        return modes.filter(([, mode]) => Number(mode) & 0o077).map(([name]) => String(name))
      })
      return open.length > 0 ? `readable for others: ${open.join(', ')}` : null
    },
    spoiled: { seen: ['secret.key'] },
  },
  {
    id: '13.4.1',
    says: 'No folder of the sources is served',
    async fault({ ask }) {
      for (const path of ['//.git/config', '//.git/HEAD', '//package.json', '//server/src/main.ts', '//.env']) {
        const { text } = await ask({ method: 'GET', path })
        if (/\[core\]|ref: refs|"workspaces"|import \{/.test(text)) return `${path} is served`
      }
      return null
    },
    spoiled: allSay('[core]'),
  },
  {
    id: '13.4.2',
    says: 'No error shows the inside: no stack, no file, no SQL',
    async fault({ ask, admin }) {
      for (const asked of [
        { method: 'GET', path: '/devices/99999999999999999' },
        { method: 'GET', path: '/users?page=0&sort=%00' },
        { method: 'POST', path: '/auth/login', body: '{"email":', headers: json },
      ]) {
        const { text, status } = await ask({ ...asked, token: admin.token })
        if (status >= 500 || /node_modules|at \w+ \(|select |\.ts:\d/.test(text)) return `${asked.path}: ${text}`
      }
      return null
    },
    spoiled: allSay('Error at Object.run (/srv/app/server/src/main.ts:12)'),
  },
  {
    id: '13.4.3',
    says: 'No folder is listed',
    async fault({ ask }) {
      for (const path of ['//assets/', '//tiles/']) {
        const { text } = await ask({ method: 'GET', path })
        if (/index of|<a href="[^"]+\.js"/i.test(text)) return `${path} is listed`
      }
      return null
    },
    spoiled: allSay('<h1>Index of /assets</h1>'),
  },
  {
    id: '13.4.4',
    says: 'TRACE is refused',
    async fault({ raw }) {
      const answer = await raw('TRACE / HTTP/1.1\r\nHost: cold.example\r\nX-Mine: 1\r\nConnection: close\r\n\r\n')
      return answer.text.includes('X-Mine: 1') ? 'it echoes' : expectStatus(answer, 400, 404, 405, 501)
    },
    spoiled: allAnswer(200),
  },
  {
    id: '13.4.5',
    says: 'Metrics are not on the public port, and readiness tells strangers no details',
    async fault({ ask }) {
      const metrics = await ask({ method: 'GET', path: '//metrics' })
      if (metrics.text.includes('process_resident_memory_bytes')) return '/metrics is served'
      const { text } = await ask({ method: 'GET', path: '//ready' })
      return /database|migrations|mqtt|disk/i.test(text) ? `/ready says ${text}` : null
    },
    spoiled: allSay('{"database":"ok"}'),
  },
  {
    id: '13.4.6',
    says: 'No header names the software behind',
    async fault({ ask }) {
      const { headers } = await ask({ method: 'GET', path: '//' })
      const disclosed = ['server', 'x-powered-by', 'via'].filter((name) => headers[name])
      return disclosed.length > 0 ? disclosed.join(', ') : null
    },
    spoiled: withHeader('server', 'fastify 5'),
  },
  {
    id: '14.2.1',
    says: 'The calls that our browser makes carry no secret in their address',
    async fault({ ask }) {
      const { text } = await ask({ method: 'GET', path: '/openapi.json' })
      const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, { deprecated?: boolean }>> }
      const found = Object.entries(paths)
        .filter(([path]) => /\/(auth|users)\/.*\{token\}/.test(path))
        .filter(([, methods]) => Object.values(methods).some(({ deprecated }) => !deprecated))
      return found.length > 0 ? found.map(([path]) => path).join(', ') : null
    },
    spoiled: allSay('{"paths":{"/app/api/v1/auth/verify/{token}":{"get":{}}}}'),
  },
  {
    id: '14.2.6',
    says: 'No answer about a person holds a hash or a secret',
    async fault({ ask, admin }) {
      for (const path of ['/users', '/auth/profile', '/roles']) {
        const { text } = await ask({ method: 'GET', path, token: admin.token })
        if (/argon2|"[^"]*(password|secret|hash)[^"]*":/i.test(text)) return `${path}: ${text.slice(0, 200)}`
      }
      return null
    },
    spoiled: allSay('{"passwordHash":"$argon2id$"}'),
  },
  {
    id: '14.3.2',
    says: 'Answers of the API are stored in no cache',
    async fault({ ask, admin }) {
      for (const path of ['/auth/profile', '/users', '/users/export']) {
        const value = (await ask({ method: 'GET', path, token: admin.token })).headers['cache-control'] ?? ''
        if (!value.includes('no-store')) return `${path}: cache-control "${value}"`
      }
      return null
    },
    spoiled: withHeader('cache-control', 'public, max-age=600'),
  },
  {
    id: '15.3.1',
    says: 'A list of people holds what the screen shows and no more',
    async fault({ ask, admin }) {
      const { text } = await ask({ method: 'GET', path: '/users?perPage=1', token: admin.token })
      const [user = {}] = JSON.parse(text).payload.data
      const known = [
        'id',
        'fullname',
        'email',
        'role',
        'phone',
        'status',
        'lastLoginAt',
        'createdAt',
        'invitationEndsAt',
      ]
      const more = Object.keys(user).filter((name) => !known.includes(name))
      return more.length > 0 ? more.join(', ') : null
    },
    spoiled: allSay('{"payload":{"data":[{"identityId":"1"}]}}'),
  },
  refused('15.3.3', 'Fields that a call does not have cannot be assigned', 422, ({ admin, device }) => ({
    method: 'PATCH',
    path: `/devices/${device.id}`,
    token: admin.token,
    body: { licenceUntil: '2099-01-01T00:00:00Z', company_id: 2 },
  })),
  {
    id: '15.3.5',
    says: 'A value of another type is refused, not converted',
    async fault({ ask, admin }) {
      for (const fullname of [1, true, ['Ann'], { toString: 'Ann' }]) {
        const answer = await ask({
          method: 'PATCH',
          path: '/auth/user/profile',
          token: admin.token,
          body: { fullname },
        })
        if (answer.status !== 422) return `${JSON.stringify(fullname)}: ${answer.status}`
      }
      return null
    },
    spoiled: allAnswer(200),
  },
  {
    id: '15.3.7',
    says: 'A parameter that is given twice is refused',
    fault: async ({ ask, admin }) =>
      expectStatus(await ask({ method: 'GET', path: '/users?page=1&page=2', token: admin.token }), 422),
    spoiled: allAnswer(200),
  },
  {
    id: '15.2.2',
    says: 'A page of a list has at most 200 rows',
    fault: async ({ ask, admin }) =>
      expectStatus(await ask({ method: 'GET', path: '/users?perPage=100000', token: admin.token }), 422),
    spoiled: allAnswer(200),
  },
  {
    id: '16.2.1',
    says: 'A line of the log says when, how grave and which request',
    async fault(world) {
      const { headers } = await world.ask({ method: 'POST', path: '/auth/login', body: '{', headers: json })
      const lines = await world.look(() => logged(world, `"reqId":"${headers['x-request-id']}"`))
      const line = JSON.parse(lines[0] ?? '{}')
      return line.time && line.level && line.reqId ? null : `the log says ${lines[0]}`
    },
    spoiled: { seen: ['{"msg":"refused"}'] },
  },
  {
    id: '16.2.5',
    says: 'No password, token or mailed link stands in the log',
    async fault(world) {
      const { instance, admin, device, look } = world
      const email = fresh('logged')
      await world.need({
        method: 'POST',
        path: '/users',
        token: admin.token,
        body: { fullname: 'Bo', email, role: 'staff' },
      })
      const token = await instance.mailedToken(email, 'usersetup')
      await world.ask({ method: 'POST', path: '/users/setup', body: { token, password: 'short' } })
      const log = await look(async () => instance.log())
      const secrets = { password, 'session token': admin.token, 'mailed link': token, 'device secret': device.secret }
      const found = Object.entries(secrets).filter(([, secret]) => log.includes(secret))
      return found.length > 0 ? `in the log: ${found.map(([name]) => name).join(', ')}` : null
    },
    spoiled: { seen: `{"msg":"login with ${password}"}` },
  },
  {
    id: '16.3.1',
    says: 'Logins, good and bad, are in the trail',
    async fault(world) {
      const { admin, instance, ask } = world
      const person = await invite(instance, admin, 'staff', fresh('trail'))
      await ask({ method: 'POST', path: '/auth/login', body: { email: person.email, password: 'wrong wrong' } })
      for (let tries = 0; tries < 100; tries++) {
        const { text } = await ask({ method: 'GET', path: '/audit-log?perPage=50', token: admin.token })
        const found = [/auth\.\w*(login|loggedIn|signIn)\w*"/i, /auth\.\w*(refused|failed)\w*"/i]
        if (found.every((pattern) => pattern.test(text))) return null
        await sleep(100)
      }
      return 'no entry of the login, or of the one that failed'
    },
    spoiled: allSay('{"payload":{"data":[]}}'),
  },
  {
    id: '16.3.2',
    says: 'A call that was refused for its role is in the trail',
    async fault({ ask, admin, staff }) {
      await ask({ method: 'GET', path: '/users/export', token: staff.token })
      const { text } = await ask({ method: 'GET', path: '/audit-log?perPage=50', token: admin.token })
      return text.includes('GET /users/export') ? null : 'no entry'
    },
    spoiled: allSay('{"payload":{"data":[]}}'),
  },
  {
    id: '16.3.2',
    says: 'Asking for an object of another company leaves a line in the log',
    async fault(world) {
      const path = `/devices/${world.device.id}`
      const { token } = await signUp(world.instance, 'Prying Eyes', fresh('prying'))
      const { headers } = await world.ask({ method: 'GET', path, token })
      const lines = await world.look(() => logged(world, `${headers['x-request-id']}`))
      return lines.length > 0 ? null : 'the log says nothing of it'
    },
    spoiled: { seen: [] },
  },
  {
    id: '16.4.1',
    says: 'A line break in what a caller sends does not make a line of the log',
    async fault(world) {
      const forged = `forged-${Date.now()}`
      await world.ask({
        method: 'POST',
        path: '/auth/login',
        body: { email: `a\n{"level":60,"msg":"${forged}"}`, password },
        headers: { 'user-agent': `x ${forged}` },
      })
      await world.ask({ method: 'GET', path: '/devices/1', token: 'wrong' })
      const lines = await world.look(async () => world.instance.log().split('\n'))
      return lines.some((line) => line.startsWith(`{"level":60,"msg":"${forged}`) || line === 'forged')
        ? 'the line was forged'
        : null
    },
    spoiled: { seen: ['forged'] },
  },
  {
    id: '16.4.2',
    says: 'No role of the server may change the trail',
    async fault({ sql, look }) {
      const rights = await look(() =>
        sql(
          `select r.rolname from pg_roles r where r.rolname in ('app', 'pipeline')
             and (has_table_privilege(r.rolname, 'audit_log', 'update') or has_table_privilege(r.rolname, 'audit_log', 'delete'))`,
        ),
      )
      return rights.length > 0 ? rights.map(({ rolname }) => rolname).join(', ') : null
    },
    spoiled: { seen: [{ rolname: 'app' }] },
  },
  {
    id: '16.5.1',
    says: 'An error says its code and a sentence, with the number of the request',
    async fault({ ask }) {
      const { text, headers } = await ask({ method: 'GET', path: '/nothing-here' })
      const { code, message } = JSON.parse(text)
      return code === 'ROUTE_NOT_FOUND' && message && headers['x-request-id'] ? null : text
    },
    spoiled: allSay('{"error":"x"}'),
  },
]
