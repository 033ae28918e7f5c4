import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice } from '../../../test/device-factory.ts'
import { buildCompany, buildUser, type TestUser } from '../../../test/factories.ts'
import { aLicence } from '../../../test/licence-factory.ts'
import { mailsTo } from '../../../test/mailed.ts'
import { provider } from '../../commands/provider/provider.ts'
import { loadConfig } from '../../platform/config/config.ts'
import { encodePng } from '../../platform/mail/png.ts'
import { tellAnswers } from './jobs.ts'

const desk = 'help@cold.example'
const t = describeApp({ supportEmail: desk, rateLimits: loadConfig({}).rateLimits })

async function run(...args: string[]) {
  const lines: string[] = []
  const code = await provider(args, { pool: t.pool, out: (line) => void lines.push(line) })
  return { code, text: lines.join('\n') }
}

const request = { title: 'The map is empty', description: 'Since this morning.', category: 'devices', urgency: 'high' }
const post = (user: TestUser, path: string, body: object = {}) =>
  t.call('POST', `/enterprise/${path}`, { token: user.token, body })
const requests = async ({ token }: TestUser) =>
  (await t.call('GET', '/enterprise/support', { token })).body.payload.data
const lines = async ({ token }: TestUser) =>
  (await t.call('GET', '/enterprise/notifications', { token, query: { kind: 'support' } })).body.payload.data
const team = async () => {
  const company = await buildCompany(t)
  return {
    admin: await buildUser(t, { company }),
    manager: await buildUser(t, { company, role: 'manager' }),
    staff: await buildUser(t, { company, role: 'staff' }),
  }
}

describe('a request for help', () => {
  test('is mailed to the desk, answered there, and told in the app and by mail in the language of who asked', async () => {
    const company = await buildCompany(t)
    const staff = await buildUser(t, { company, role: 'staff', locale: 'fr' })
    const asked = await post(staff, 'support', request)
    expect(asked.body.payload).toMatchObject({ ...request, kind: 'support', state: 'open', isOwn: true, answers: [] })
    const { id } = asked.body.payload
    const mail = (await mailsTo(t, desk)).find(({ subject }) => subject.includes(`#${id}`))
    expect(mail?.subject).toBe(`Isotherm: support #${id} (urgent): The map is empty`)
    expect(mail?.text).toContain(`support answer ${id}`)
    expect((await run('support', 'list')).text).toContain('The map is empty: Since this morning.')
    expect(await run('support', 'answer', id, '--text', 'Fixed.\nPlease <b>reload</b>.')).toMatchObject({ code: 0 })
    await tellAnswers.run(t.services, {})
    await tellAnswers.run(t.services, {})
    expect(await requests(staff)).toMatchObject([
      { id, state: 'answered', answers: [{ text: 'Fixed.\nPlease <b>reload</b>.' }] },
    ])
    expect(await lines(staff)).toMatchObject([{ text: 'Votre fournisseur a répondu\u00a0: The map is empty' }])
    const told = await mailsTo(t, staff.email)
    expect(told).toHaveLength(1)
    expect(told[0]?.text).toContain('Bonjour')
    expect(told[0]?.html).toContain('Please &#60;b&#62;reload&#60;/b&#62;.')
    expect(await run('support', 'close', id)).toMatchObject({ code: 0 })
    expect(await requests(staff)).toMatchObject([{ state: 'closed' }])
    const trail = await t.rows<{ action: string }>(
      `select action from audit_log where company_id = $1 and feature = 'support' order by seq`,
      [company.companyId],
    )
    expect(trail.map(({ action }) => action)).toEqual(['support.supportAsked', 'support.answered', 'support.closed'])
  })

  test('is kept where the mail server takes nothing', async () => {
    const { staff } = await team()
    const { id } = (await post(staff, 'suggestion', request)).body.payload
    const { mailer } = t.services
    t.services.mailer = { send: () => Promise.reject(new Error('no mail server')) }
    await expect(t.runJobs()).rejects.toThrow('no mail server')
    t.services.mailer = mailer
    expect(await requests(staff)).toMatchObject([{ id, kind: 'suggestion', state: 'open' }])
    expect((await run('support', 'list')).text).toContain('suggestion')
  })

  test('is seen by who asked and by Admins, not by others of the team or of other companies', async () => {
    const { admin, manager, staff } = await team()
    await post(staff, 'support', request)
    expect(await requests(staff)).toHaveLength(1)
    expect(await requests(manager)).toEqual([])
    expect(await requests(admin)).toMatchObject([{ by: staff.fullname, isOwn: false }])
    expect(await requests(await buildUser(t))).toEqual([])
    const trail = await t.call('GET', '/audit-log', { token: manager.token })
    expect(JSON.stringify(trail.body)).not.toContain('supportAsked')
  })

  test.each([
    ['151 words', { description: 'word '.repeat(151) }, 'description'],
    ['no words', { description: ' \n ' }, 'description'],
    ['a title of two lines', { title: 'Bcc:\r\nall@cold.example' }, 'title'],
    ['a category that there is not', { category: 'food' }, 'category'],
    ['something that is not asked for', { state: 'closed' }, 'state'],
  ])('with %s is refused', async (_, change, field) => {
    const refused = await post(await buildUser(t), 'support', { ...request, ...change })
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.body.fields)).toEqual([field])
  })

  test('of 150 words with markup in it is kept as it was written, and escaped in the mail', async () => {
    const user = await buildUser(t)
    const description = `<script>alert(1)</script> ${'word '.repeat(149)}`.trim()
    const { id } = (await post(user, 'support', { ...request, description })).body.payload
    expect((await requests(user))[0].description).toBe(description)
    const mail = (await mailsTo(t, desk)).find(({ subject }) => subject.includes(`#${id}`))
    expect(mail?.html).not.toContain('<script>')
  })

  test('of a megabyte is not read', async () => {
    const refused = await post(await buildUser(t), 'support', { ...request, description: 'x'.repeat(1_100_000) })
    expect(refused.status).toBe(413)
  })

  test('the eleventh within an hour waits, whatever it is; somebody else’s does not', async () => {
    const { admin, staff } = await team()
    for (let i = 0; i < 10; i += 1) expect((await post(staff, 'support', request)).status).toBe(200)
    expect((await post(staff, 'suggestion', request)).status).toBe(429)
    expect((await post(admin, 'suggestion', request)).status).toBe(200)
  })

  test('goes on once the subscription has expired', async () => {
    const user = await buildUser(t)
    await t.change(user.companyId, 'update companies set subscription_until = $1', [t.clock.now()])
    expect((await post(user, 'support', request)).status).toBe(200)
  })
})

describe('features', () => {
  const features = async ({ token }: TestUser) =>
    (await t.call('GET', '/enterprise/features', { token })).body.payload as {
      module: string
      askedAt: string | null
    }[]
  const one = async (user: TestUser, module: string) => (await features(user)).find((each) => each.module === module)

  test('are seven, with what the licences allow and the company has; Staff are told no count of hidden things', async () => {
    const { admin, staff } = await team()
    await aLicence(t, admin.companyId, { devices: 5 })
    await aDevice(t, { companyId: admin.companyId })
    await aDevice(t, { companyId: admin.companyId, visibility: 'private' })
    expect((await features(staff)).map(({ module }) => module)).toEqual([
      ...['devices', 'groups', 'alarms', 'reports', 'users', 'dispatch', 'payments'],
    ])
    expect(await one(staff, 'devices')).toMatchObject({ measures: [{ name: 'devices', used: 1, limit: 5 }] })
    expect(await one(staff, 'alarms')).toMatchObject({ measures: [{ used: null }, { used: null }] })
    expect(await one(admin, 'alarms')).toMatchObject({ measures: [{ name: 'emails', used: 0 }, { used: 0 }] })
    expect(await one(admin, 'users')).toMatchObject({ isIncluded: true, measures: [{ used: 3, limit: null }] })
    expect(await one(admin, 'dispatch')).toMatchObject({ isIncluded: true, askedAt: null })
  })

  test('asked for twenty times are one request, of whoever of the team asks, until it is answered', async () => {
    const { admin, staff } = await team()
    const askFor = (user: TestUser, module = 'dispatch') => post(user, 'features', { module })
    const first = (await askFor(staff)).body.payload
    expect(first).toMatchObject({ module: 'dispatch', askedAt: t.clock.now().toISOString() })
    t.clock.advance(60_000)
    const again = await Promise.all(Array.from({ length: 20 }, (_, i) => askFor(i % 2 ? staff : admin)))
    expect(new Set(again.map(({ status, body }) => `${status} ${body.payload.askedAt}`))).toEqual(
      new Set([`200 ${first.askedAt}`]),
    )
    const [{ id, ...known }, ...others] = await requests(staff)
    expect([known, others]).toMatchObject([{ kind: 'feature', category: 'dispatch', urgency: null }, []])
    expect((await run('features', 'list')).text).toContain('dispatch')
    expect((await run('support', 'list')).text).not.toContain(' feature ')
    await run('features', 'answer', id, '--text', 'In spring.')
    await tellAnswers.run(t.services, {})
    expect(await lines(staff)).toMatchObject([{ text: 'Your provider answered: Dispatch' }])
    expect(await one(staff, 'dispatch')).toMatchObject({ askedAt: null })
    expect((await askFor(admin)).body.payload.askedAt).toBe(t.clock.now().toISOString())
    expect((await askFor(staff, 'magic')).status).toBe(422)
  })
})

describe('the store', () => {
  test('lists nothing until the provider does; then with taxes, in the currency of the company', async () => {
    const { admin, staff, manager } = await team()
    const items = async (user: TestUser) => (await post(user, 'gricd')).body.payload.items
    expect(await items(staff)).toEqual([])
    await t.change(admin.companyId, `update companies set country = 'NG' where company_id = $1`, [admin.companyId])
    const probe = ['store', 'set', 'probe-2m', '--name', 'Probe, 2 m', '--text', 'Stainless steel', '--amount', '4500']
    expect(await run(...probe, '--currency', 'NGN')).toMatchObject({ code: 0 })
    await run('store', 'set', 'case', '--name', 'Case', '--text', 'For the van', '--amount', '10', '--currency', 'EUR')
    await run('tax', 'set', '--country', 'NG', '--name', 'VAT', '--percent', '7.5', '--from', '2020-01-01')
    t.clock.set(new Date(Date.now() + 60_000))
    const net = { currency: 'NGN', net: 450_000, total: 483_750 }
    expect(await items(staff)).toMatchObject([
      { code: 'case', price: null },
      { code: 'probe-2m', name: 'Probe, 2 m', text: 'Stainless steel', price: net },
    ])
    const order = { code: 'probe-2m', quantity: 3 }
    const refused = await post(staff, 'gricd/requests', order)
    const bought = await post(manager, 'gricd/requests', order)
    expect([refused.status, bought.status]).toEqual([403, 403])
    const asked = await post(admin, 'gricd/requests', { ...order, description: 'For Lagos' })
    expect(asked.body.payload).toMatchObject({ kind: 'purchase', title: 'Probe, 2 m', quantity: 3, category: null })
    expect((await run('support', 'list')).text).toContain('3 x probe-2m')
    expect((await run('store', 'remove', 'probe-2m')).code).toBe(0)
    expect((await items(staff)).map(({ code }: { code: string }) => code)).toEqual(['case'])
    expect((await post(admin, 'gricd/requests', order)).body.code).toBe('NOT_SOLD')
    expect((await run('log', 'list')).text).toContain('store.removed')
  })

  test('names things in the language of who reads, where the provider has said it', async () => {
    const french = await buildUser(t, { locale: 'fr' })
    const swahili = await buildUser(t, { locale: 'sw' })
    const named = async (user: TestUser) =>
      (await post(user, 'gricd')).body.payload.items
        .filter(({ code }: { code: string }) => code === 'cover')
        .map(({ name, text }: { name: string; text: string }) => [name, text])
    const words = (locale: string, ...more: string[]) => run('store', 'set', 'cover', '--locale', locale, ...more)
    const early = await words('fr', '--name', 'Housse', '--text', 'Épaisse')
    expect([early.code, early.text]).toEqual([2, expect.stringContaining('no "cover"')])
    await run('store', 'set', 'cover', '--name', 'Cover', '--text', 'Thick')
    expect((await words('fr', '--name', 'Housse', '--text', 'Épaisse')).code).toBe(0)
    expect((await words('fr', '--text', 'Mince')).code).toBe(0)
    expect([await named(french), await named(swahili)]).toEqual([[['Housse', 'Mince']], [['Cover', 'Thick']]])
    expect((await words('de', '--name', 'x', '--text', 'x')).code).toBe(2)
    expect((await words('sw', '--name', 'x')).code).toBe(2)
    expect((await words('fr', '--picture', 'none')).code).toBe(2)
    expect((await run('log', 'list')).text).toContain('store.translated')
    await run('store', 'remove', 'cover')
    expect(await named(french)).toEqual([])
  })

  test('shows a small picture beside what has one, as the file was', async () => {
    const user = await buildUser(t)
    const folder = await mkdtemp(join(tmpdir(), 'isotherm-store-'))
    const file = async (name: string, bytes: Buffer) => {
      await writeFile(join(folder, name), bytes)
      return join(folder, name)
    }
    const set = (...more: string[]) => run('store', 'set', 'lamp', '--name', 'Lamp', '--text', 'Warm', ...more)
    const shown = async () =>
      (await post(user, 'gricd')).body.payload.items.find(({ code }: { code: string }) => code === 'lamp').picture
    const png = encodePng(40, 30, Buffer.alloc(40 * 30 * 4, 200))
    expect((await set('--picture', await file('lamp.jpg', png))).text).toContain('png')
    expect(await shown()).toBe(`data:image/png;base64,${png.toString('base64')}`)
    await set('--text', 'Warm light')
    expect(await shown()).toContain('data:image/png')
    for (const [name, bytes, why] of [
      ['page.png', Buffer.from('<svg onload="alert(1)"></svg>'), 'is PNG, JPEG or WebP'],
      ['large.png', Buffer.concat([png, Buffer.alloc(65_536)]), 'at most 64 KB'],
    ] as const)
      expect(await set('--picture', await file(name, bytes))).toMatchObject({
        code: 2,
        text: expect.stringContaining(why),
      })
    expect((await set('--picture', join(folder, 'none.png'))).text).toContain('There is no file')
    expect(await shown()).toContain('data:image/png')
    await set('--picture', 'none')
    expect(await shown()).toBeNull()
    await run('store', 'remove', 'lamp')
    await rm(folder, { recursive: true })
  })

  test.each([
    [['support', 'answer', '999999', '--text', 'x'], 'no request'],
    [['support', 'answer', 'seven', '--text', 'x'], 'no request'],
    [['support', 'close', '999999'], 'no request'],
    [['store', 'set', 'A b', '--name', 'x', '--text', 'x'], 'code of small letters'],
    [['store', 'set', 'new-one', '--text', 'x'], '--name'],
    [['store', 'set', 'new-one', '--name', 'x', '--text', 'x', '--amount', '5'], '--currency'],
    [['store', 'remove', 'nothing'], 'no "nothing"'],
  ])('a command of the desk that makes no sense is refused: %j', async (args, text) => {
    const refused = await run(...args)
    expect(refused.code).toBe(2)
    expect(refused.text).toContain(text)
  })
})
