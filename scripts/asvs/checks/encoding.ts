import { allAnswer, allSay, type Check, expectStatus, firstOf, refused } from '../check.ts'
import { fresh } from '../fresh.ts'

const addresses = [
  'https://[::7f00:1]/',
  'https://127.0.0.1/',
  'https://169.254.169.254/latest',
  'https://10.0.0.8/',
  'https://[::1]/',
]

/** V1: encoding and sanitization. */
export const encoding: Check[] = [
  {
    id: '1.2.1',
    says: 'Markup in a name is text in mails and never markup of an answer',
    async fault({ ask, admin, instance, look }) {
      const [name, email] = ['<b onclick=x()>Ann</b>', fresh('markup')]
      const answer = await ask({
        method: 'POST',
        path: '/users',
        token: admin.token,
        body: { fullname: name, email, role: 'staff' },
      })
      const fault = expectStatus(answer, 200, 422)
      if (fault || answer.status === 422) return fault
      const mail = await look(() => instance.mailTo(email, 'usersetup'))
      const page = mail.slice(mail.indexOf('Content-Type: text/html'))
      if (page.includes('<b onclick')) return 'the mail holds the markup of the name'
      return answer.headers['content-type']?.startsWith('application/json') ? null : 'the answer is no JSON'
    },
    spoiled: { seen: 'Content-Type: text/html <p>Dear <b onclick=x()>Ann</b></p>' },
  },
  {
    id: '1.2.4',
    says: 'A search with SQL in it searches for that text',
    async fault({ ask, admin }) {
      const search = encodeURIComponent("' or '1'='1")
      const answer = await ask({ method: 'GET', path: `/users?search=${search}`, token: admin.token })
      return firstOf(
        async () => expectStatus(answer, 200),
        async () => (JSON.parse(answer.text).payload.meta.total === 0 ? null : 'the search found everybody'),
      )
    },
    spoiled: allSay('{"payload":{"meta":{"total":4}}}'),
  },
  {
    id: '1.2.4',
    says: 'A column to sort by is one of a list',
    fault: async ({ ask, admin }) =>
      expectStatus(
        await ask({ method: 'GET', path: '/users?sort=fullname;drop%20table%20users', token: admin.token }),
        422,
      ),
    spoiled: allAnswer(200),
  },
  {
    id: '1.2.10',
    says: 'A name that is a formula is harmless in a CSV',
    async fault({ ask, need, admin }) {
      const body = { fullname: '=cmd|calc', email: fresh('formula'), role: 'staff' }
      await need({ method: 'POST', path: '/users', token: admin.token, body })
      const { text } = await ask({ method: 'GET', path: '/users/export', token: admin.token })
      if (!text.includes('=cmd|calc')) return 'the name is not in the file'
      return /(^|[,;"\t\n])=cmd/m.test(text) ? 'a cell begins with the formula' : null
    },
    spoiled: allSay('name,email,user rights\n=cmd|calc,a@b,staff\n'),
  },
  {
    id: '1.3.6',
    says: 'A webhook may not go to an address inside',
    async fault({ ask, admin, device }) {
      for (const webhook of addresses) {
        const answer = await ask({
          method: 'POST',
          path: '/alarms',
          token: admin.token,
          body: {
            name: 'Inside',
            deviceIds: [device.id],
            rule: { kind: 'value', temperatureMaxC: 8 },
            recipients: [{ webhook }],
          },
        })
        if (answer.status === 200) return `taken: ${webhook}`
      }
      return null
    },
    spoiled: allAnswer(200),
  },
  refused('1.3.11', 'A line break in a name cannot add a header to a mail', 422, ({ admin }) => ({
    method: 'POST',
    path: '/users',
    token: admin.token,
    body: { fullname: 'Ann\r\nBcc: all@example.test', email: fresh('header'), role: 'staff' },
  })),
  {
    id: '1.5.2',
    says: 'A body with __proto__ is refused and changes no object',
    async fault({ ask, admin }) {
      const body = '{"fullname":"Ann","__proto__":{"role":"admin"}}'
      const headers = { 'content-type': 'application/json' }
      const answer = await ask({ method: 'PATCH', path: '/auth/user/profile', token: admin.token, body, headers })
      return expectStatus(answer, 400, 422)
    },
    spoiled: allAnswer(200),
  },
]
