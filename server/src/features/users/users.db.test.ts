import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildCompany, buildUser, only, password, setMatrix } from '../../../test/factories.ts'
import { mailedToken, mailsTo } from '../../../test/mailed.ts'
import { trailOf } from '../../../test/trail.ts'

const t = describeApp()

const remove = (token: string, id: string) => t.call('DELETE', `/users/${id}`, { token })
const change = (token: string, id: string, body: object) => t.call('PATCH', `/users/${id}`, { token, body })
const invite = (token: string, body: object) => t.call('POST', '/users', { token, body })

async function team() {
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company, fullname: 'Amina' })
  const staff = await buildUser(t, { company, role: 'staff', fullname: 'baraka 100%' })
  return { company, admin, staff }
}

/** A Manager whose Admin lets them manage the team. */
async function teamManager(company: { companyId: number }) {
  await setMatrix(t, company.companyId, 'manager', only('users.view', 'users.addOrEdit', 'devices.view'))
  return buildUser(t, { company, role: 'manager' })
}

test('the team is listed by name, paged, and found by name or mail address', async () => {
  const { admin, staff } = await team()
  const list = async (query: Record<string, string>) =>
    (await t.call('GET', '/users', { token: admin.token, query })).body.payload
  const all = await list({})
  expect(all.data.map((user: { fullname: string }) => user.fullname)).toEqual(['Amina', 'baraka 100%'])
  expect(all.meta).toEqual({ page: 1, perPage: 25, total: 2, pageCount: 1 })
  expect((await list({ perPage: '1', page: '2' })).data[0].id).toBe(staff.id)
  expect((await list({ search: staff.email.toUpperCase() })).data).toHaveLength(1)
  expect((await list({ search: '0%' })).data[0].id).toBe(staff.id)
  expect((await list({ search: '_' })).data).toEqual([])
  expect((await list({ sort: '-role' })).data[0].role).toBe('staff')
  expect((await list({ sort: '-fullname' })).data[0].id).toBe(staff.id)
  expect((await list({ role: 'admin' })).meta.total).toBe(1)
})

test('whoever is invited is in the list at once and gets a mail in the company’s language', async () => {
  const company = await buildCompany(t, { name: 'Baridi Ltd' })
  await t.change(company.companyId, `update companies set locale = 'sw'`)
  const admin = await buildUser(t, { company })
  const answer = await invite(admin.token, { fullname: 'Neema', email: 'Neema@Example.test', role: 'manager' })
  expect(answer.body.payload).toMatchObject({ email: 'neema@example.test', role: 'manager', status: 'invited' })
  const [mail] = await mailsTo(t, 'neema@example.test')
  expect(mail?.subject).toBe('Baridi Ltd inakualika kwenye Isotherm')
  expect(await trailOf(t, admin.companyId)).toMatchObject([
    { action: 'users.invited', actor: { id: admin.id }, after: { email: 'neema@example.test', role: 'manager' } },
  ])
})

test('a mail address belongs to one person of a company, also when invited twice at once', async () => {
  const { admin, staff } = await team()
  const taken = await invite(admin.token, { fullname: 'X', email: staff.email, role: 'staff' })
  expect([taken.status, taken.body.code]).toEqual([400, 'EMAIL_TAKEN'])
  const once = { fullname: 'X', email: `race${admin.id}@example.test`, role: 'staff' }
  const both = await Promise.all([invite(admin.token, once), invite(admin.token, once)])
  expect(both.map((answer) => answer.status).sort()).toEqual([200, 400])
  expect(await mailsTo(t, once.email)).toHaveLength(1)
})

test('whether an address has an account elsewhere shows in no answer; its owner is told by mail (L5)', async () => {
  const [admin, other] = [await buildUser(t), await buildUser(t)]
  const shape = ({ status, body }: Awaited<ReturnType<typeof invite>>) => {
    const { id: _, email: __, ...rest } = body.payload
    return { status, rest }
  }
  const unknown = await invite(admin.token, { fullname: 'X', email: `new${admin.id}@example.test`, role: 'staff' })
  const elsewhere = await invite(admin.token, { fullname: 'X', email: other.email, role: 'staff' })
  expect(shape(elsewhere)).toEqual(shape(unknown))
  const mails = await mailsTo(t, other.email)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.text).toContain('you already have an account with this address at another company')
  expect(mails[0]?.text).not.toMatch(/usersetup/)
  expect((await t.call('GET', '/auth/profile', { token: other.token })).body.payload.user.id).toBe(other.id)
  const again = await t.call('POST', `/users/${elsewhere.body.payload.id}/invite`, { token: admin.token })
  expect(again.status).toBe(200)
  expect(await mailsTo(t, other.email)).toHaveLength(2)
  // Once the other company has let them go, an invitation works.
  const boss = await buildUser(t, { company: other })
  expect((await remove(boss.token, other.id)).status).toBe(200)
  await t.call('POST', `/users/${elsewhere.body.payload.id}/invite`, { token: admin.token })
  const body = { token: await mailedToken(t, other.email), password: 'another good password' }
  expect((await t.call('POST', '/users/setup', { body })).status).toBe(200)
})

test('an invitation wins over a registration that was never verified (L5)', async () => {
  const admin = await buildUser(t)
  const email = `squatted${admin.id}@example.test`
  const form = { companyName: 'Squatters', fullname: 'Some Body', email, password: 'a long enough password' }
  expect((await t.call('POST', '/auth/register', { body: form })).status).toBe(200)
  const stale = await mailedToken(t, email)
  expect((await invite(admin.token, { fullname: 'Real', email, role: 'staff' })).status).toBe(200)
  const link = await mailedToken(t, email)
  expect((await t.call('POST', '/auth/verify', { body: { token: stale } })).body.code).toBe('LINK_INVALID')
  const setup = await t.call('POST', '/users/setup', { body: { token: link, password: 'another good password' } })
  expect(setup.body.payload).toEqual({ fullname: 'Real', email })
})

test('an invitation that nobody accepted blocks its address until it is over, and no longer', async () => {
  const [admin, other, third] = [await buildUser(t), await buildUser(t), await buildUser(t)]
  const email = `wanted${admin.id}@example.test`
  const person = { fullname: 'Wanted', email, role: 'staff' }
  const { id } = (await invite(admin.token, person)).body.payload
  const first = await mailedToken(t, email)
  await invite(other.token, person)
  expect((await mailsTo(t, email)).at(-1)?.text).not.toMatch(/usersetup/)
  t.clock.advance(8 * 86_400_000)
  const proved = async ({ token }: typeof admin) => {
    await t.call('POST', '/auth/proof', { token, body: { password } })
    return token
  }
  await invite(await proved(third), person)
  const body = { token: await mailedToken(t, email), password: 'another good password' }
  expect((await t.call('POST', '/users/setup', { body: { ...body, token: first } })).body.code).toBe('LINK_INVALID')
  expect((await t.call('POST', '/users/setup', { body })).status).toBe(200)
  // The first company may ask again: that the person is elsewhere by now is told to them alone.
  expect((await t.call('POST', `/users/${id}/invite`, { token: await proved(admin) })).status).toBe(200)
  expect((await mailsTo(t, email)).at(-1)?.text).toContain('you already have an account with this address')
})

test('whoever let an invitation run out may register a company of their own', async () => {
  const admin = await buildUser(t)
  const email = `founder${admin.id}@example.test`
  await invite(admin.token, { fullname: 'Founder', email, role: 'staff' })
  await t.runJobs()
  t.clock.advance(8 * 86_400_000)
  const form = { companyName: 'Own', fullname: 'Founder', email, password: 'a long enough password' }
  expect((await t.call('POST', '/auth/register', { body: form })).status).toBe(200)
  const token = await mailedToken(t, email)
  expect((await t.call('POST', '/auth/verify', { body: { token } })).status).toBe(200)
})

test('the list says until when an invitation works, from the latest one on', async () => {
  const { admin, staff } = await team()
  const email = `until${admin.id}@example.test`
  const { id } = (await invite(admin.token, { fullname: 'Later', email, role: 'staff' })).body.payload
  const endsAt = async (search: string) =>
    (await t.call('GET', '/users', { token: admin.token, query: { search } })).body.payload.data[0].invitationEndsAt
  const inAWeek = () => new Date(t.clock.now().getTime() + 7 * 86_400_000).toISOString()
  expect(await endsAt(email)).toBe(inAWeek())
  t.clock.advance(8 * 86_400_000)
  expect(Date.parse(await endsAt(email))).toBeLessThan(t.clock.now().getTime())
  await t.call('POST', '/auth/proof', { token: admin.token, body: { password } })
  await t.call('POST', `/users/${id}/invite`, { token: admin.token })
  expect(await endsAt(email)).toBe(inAWeek())
  expect(await endsAt(staff.email)).toBeNull()
})

test('a name that is a bare domain is no link in the mail of an invitation', async () => {
  const admin = await buildUser(t)
  const email = `bare${admin.id}@example.test`
  expect((await invite(admin.token, { fullname: 'Evil.com', email, role: 'staff' })).status).toBe(200)
  const [mail] = await mailsTo(t, email)
  expect(mail?.text).toContain('Evil.\u200bcom')
  expect(mail?.text).not.toContain('Evil.com')
})

test.each([
  ...[
    'WIN at http://evil.test',
    'see www.evil.test',
    'evil.test/prize now',
    'ｈｔｔｐ：／／evil.test',
    'WWW.EVIL.TEST',
  ],
])('a person called “%s” is refused: names go out in mails (L6)', async (fullname) => {
  const admin = await buildUser(t)
  const refused = await invite(admin.token, { fullname, email: `l6.${admin.id}@example.test`, role: 'staff' })
  expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['fullname']])
  expect((await t.call('PATCH', '/auth/user/profile', { token: admin.token, body: { fullname } })).status).toBe(422)
  const fine = { fullname: 'Dr. J.P. O’Neil, Booking.com', email: `l6.${admin.id}@example.test`, role: 'staff' }
  expect((await invite(admin.token, fine)).status).toBe(200)
})

test('an invitation sent again replaces the first; nobody is invited who has joined', async () => {
  const { admin, staff } = await team()
  const email = `again${admin.id}@example.test`
  const { id } = (await invite(admin.token, { fullname: 'Later', email, role: 'staff' })).body.payload
  const first = await mailedToken(t, email)
  expect((await t.call('POST', `/users/${id}/invite`, { token: admin.token })).status).toBe(200)
  const second = await mailedToken(t, email)
  expect((await t.call('GET', `/users/setup/${first}/verify`)).body.code).toBe('LINK_INVALID')
  expect((await t.call('GET', `/users/setup/${second}/verify`)).status).toBe(200)
  const joined = await t.call('POST', `/users/${staff.id}/invite`, { token: admin.token })
  expect(joined.body.code).toBe('ALREADY_ACTIVE')
})

test('a removed person is logged out at once, their address is free, the trail keeps their name', async () => {
  const { admin, staff } = await team()
  expect((await remove(admin.token, staff.id)).status).toBe(200)
  expect((await t.call('GET', '/auth/profile', { token: staff.token })).status).toBe(401)
  expect((await remove(admin.token, staff.id)).status).toBe(404)
  const again = await invite(admin.token, { fullname: 'New', email: staff.email, role: 'staff' })
  expect(again.status).toBe(200)
  expect(again.body.payload.id).not.toBe(staff.id)
  expect((await trailOf(t, admin.companyId))[0]).toMatchObject({
    action: 'users.removed',
    target: { id: staff.id, name: 'baraka 100%' },
  })
})

test('a new role ends the sessions of the person and counts from the next login', async () => {
  const { admin, staff } = await team()
  const answer = await change(admin.token, staff.id, { role: 'manager' })
  expect(answer.body.payload.role).toBe('manager')
  expect((await t.call('GET', '/auth/profile', { token: staff.token })).status).toBe(401)
})

test('a new name leaves the person logged in', async () => {
  const { admin, staff } = await team()
  await change(admin.token, staff.id, { fullname: 'Baraka', role: 'staff' })
  const profile = await t.call('GET', '/auth/profile', { token: staff.token })
  expect(profile.body.payload.user.fullname).toBe('Baraka')
  expect((await trailOf(t, admin.companyId))[0]).toMatchObject({
    before: { fullname: 'baraka 100%' },
    after: { fullname: 'Baraka' },
  })
})

test('nobody removes themselves or changes their own role; their name they may', async () => {
  const { admin } = await team()
  expect((await remove(admin.token, admin.id)).body.code).toBe('NOT_YOURSELF')
  expect((await change(admin.token, admin.id, { role: 'staff' })).body.code).toBe('NOT_YOURSELF')
  expect((await change(admin.token, admin.id, { fullname: 'Me', role: 'admin' })).status).toBe(200)
})

test('an Admin who has not joined yet does not count as the last one', async () => {
  const company = await buildCompany(t)
  const [admin, other] = [await buildUser(t, { company }), await buildUser(t, { company })]
  await invite(admin.token, { fullname: 'Not yet', email: `notyet${admin.id}@example.test`, role: 'admin' })
  expect((await remove(admin.token, other.id)).status).toBe(200)
  expect((await change(admin.token, admin.id, { role: 'staff' })).body.code).toBe('NOT_YOURSELF')
})

test('two Admins who remove or demote each other at once: one of them stays Admin', async () => {
  for (let round = 0; round < 6; round++) {
    const company = await buildCompany(t)
    const [one, two] = [await buildUser(t, { company }), await buildUser(t, { company })]
    const strike = (by: typeof one, at: typeof one) =>
      round % 2 ? remove(by.token, at.id) : change(by.token, at.id, { role: 'staff' })
    const answers = await Promise.all([strike(one, two), strike(two, one)])
    const codes = answers.map((answer) => answer.body.code ?? 'done').sort()
    // The slower one finds the other the last Admin, or itself logged out or demoted already.
    expect(['LAST_ADMIN,done', 'UNAUTHENTICATED,done', 'FORBIDDEN,done']).toContain(codes.join(','))
    const { rows } = await t.pool.query(`select count(*)::int as n from identities where company_id = $1`, [
      company.companyId,
    ])
    expect(rows[0].n).toBe(round % 2 ? 1 : 2)
  }
})

test('who may manage the team but is no Admin makes, changes and removes no Admin', async () => {
  const { company, admin, staff } = await team()
  const manager = await teamManager(company)
  const codes = [
    await invite(manager.token, { fullname: 'X', email: 'x@example.test', role: 'admin' }),
    await change(manager.token, staff.id, { role: 'admin' }),
    await change(manager.token, admin.id, { fullname: 'X' }),
    await change(manager.token, admin.id, { role: 'staff' }),
    await remove(manager.token, admin.id),
  ].map((answer) => answer.body.code)
  expect(new Set(codes)).toEqual(new Set(['ADMIN_NEEDED']))
  expect((await change(manager.token, staff.id, { fullname: 'Fine' })).status).toBe(200)
  expect((await change(manager.token, manager.id, { fullname: 'Me' })).status).toBe(200)
})

test('who is no Admin gives only a role that may no more than they', async () => {
  const { company } = await team()
  await setMatrix(t, company.companyId, 'staff', only('users.view', 'users.addOrEdit'))
  const [lead, colleague] = [
    await buildUser(t, { company, role: 'staff' }),
    await buildUser(t, { company, role: 'staff' }),
  ]
  const better = { fullname: 'Me too', email: `me.too${lead.id}@example.test`, role: 'manager' }
  expect((await invite(lead.token, better)).body.code).toBe('GRANT_EXCEEDS_OWN')
  expect((await change(lead.token, colleague.id, { role: 'manager' })).body.code).toBe('GRANT_EXCEEDS_OWN')
  expect((await invite(lead.token, { ...better, role: 'staff' })).status).toBe(200)
  await setMatrix(t, company.companyId, 'manager', only('users.view'))
  expect((await change(lead.token, colleague.id, { role: 'manager' })).status).toBe(200)
})

test('users.csv has name, email and user rights, and no formula survives in it', async () => {
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company, fullname: '=HYPERLINK("http://evil.example")' })
  await buildUser(t, { company, role: 'manager', fullname: 'Zuri, "Z"' })
  const answer = await t.call('GET', '/users/export', { token: admin.token })
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(answer.headers['content-disposition']).toBe('attachment; filename="users.csv"')
  const [header, first, second] = (answer.body as string).split('\r\n')
  expect(header).toBe('name,email,user rights')
  expect(first).toBe(`"'=HYPERLINK(""http://evil.example"")","${admin.email}","Admin"`)
  expect(second).toContain('"Zuri, ""Z""",')
  expect(second).toContain(',"Manager"')
})

test('users.csv has the people whom the list would show, in its sequence', async () => {
  const company = await buildCompany(t)
  const admin = await buildUser(t, { company, fullname: 'Ada Obi' })
  await buildUser(t, { company, role: 'staff', fullname: 'Zuri Obi' })
  await buildUser(t, { company, role: 'staff', fullname: 'Chidi Eze' })
  const names = async (query: Record<string, string>) =>
    ((await t.call('GET', '/users/export', { token: admin.token, query })).body as string)
      .split('\r\n')
      .slice(1)
      .flatMap((line) => line.match(/^"([^"]+)"/)?.[1] ?? [])
  expect(await names({ search: 'obi' })).toEqual(['Ada Obi', 'Zuri Obi'])
  expect(await names({ search: 'obi', role: 'staff' })).toEqual(['Zuri Obi'])
  expect(await names({ role: 'staff', sort: '-fullname' })).toEqual(['Zuri Obi', 'Chidi Eze'])
})
