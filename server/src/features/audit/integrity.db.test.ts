import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice, renameDevice } from '../../../test/device-factory.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { rehash } from '../../../test/tampered-trail.ts'
import type { TrailRow } from '../../platform/audit/trail-source.ts'
import { rotateSigningKey } from '../../platform/config/signing-keys.ts'
import { signTrails } from './jobs.ts'

const t = describeApp()

test('an Admin verifies that it is whole, and is shown where it is not', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, { companyId: admin.companyId })
  for (const name of ['a', 'b', 'c']) await renameDevice(t, admin, device.id, name)
  const verify = async () => (await t.call('GET', '/audit-log/verify', { token: admin.token })).body.payload
  expect(await verify()).toMatchObject({ whole: true, entries: 3, brokenAt: null, fault: null, signedTo: null })
  await asOwner(`update audit_log set after = '{"name": "z"}' where company_id = $1 and seq = 2`, admin.companyId)
  expect(await verify()).toMatchObject({ whole: false, entries: 1, brokenAt: '2', fault: 'edited' })
  expect((await verify()).words).toContain('Entry 2 was edited')
})

/** As somebody who owns the database. */
async function asOwner(sql: string, companyId: number) {
  const client = await t.pool.connect()
  const tables = ['audit_log', 'audit_heads', 'audit_checkpoints']
  for (const table of tables)
    await client.query(`alter table ${table} no force row level security, disable trigger user`)
  await client.query(sql, [companyId])
  for (const table of tables) await client.query(`alter table ${table} force row level security, enable trigger user`)
  client.release()
}

const checkpointFile = async (user: TestUser) =>
  (await t.call('GET', '/audit-log/checkpoints', { token: user.token })).body
const compare = (user: TestUser, file: unknown) =>
  t.call('POST', '/audit-log/verify', { token: user.token, body: file })

test('a checkpoint file that was put away tells of an end that was cut off, whoever owns the database', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, { companyId: admin.companyId })
  for (const name of ['a', 'b', 'c']) await renameDevice(t, admin, device.id, name)
  const file = await checkpointFile(admin)
  expect(file).toMatchObject({
    format: 'isotherm-audit-checkpoints-1',
    company: { id: String(admin.companyId) },
    checkpoints: [{ number: 1, seq: '3', count: 3, keyId: file.keys[0].id }],
  })
  expect((await compare(admin, file)).body.payload).toMatchObject({ whole: true, entries: 4, signedTo: '3' })
  await asOwner('delete from audit_checkpoints where company_id = $1', admin.companyId)
  await asOwner('delete from audit_log where company_id = $1 and seq > 1', admin.companyId)
  await asOwner(
    'update audit_heads set seq = 1, hash = (select hash from audit_log where company_id = $1 and seq = 1) where company_id = $1',
    admin.companyId,
  )
  // This server remembers what it signed; the file says it without this server, and says more.
  const verdict = (await t.call('GET', '/audit-log/verify', { token: admin.token })).body.payload
  expect(verdict).toMatchObject({ whole: false, fault: 'checkpointMissing', brokenAt: '3', entries: 1, signedTo: null })
  expect((await compare(admin, file)).body.payload).toMatchObject({
    whole: false,
    fault: 'tailCut',
    brokenAt: '2',
    brokenTo: '3',
    words: 'The end was cut off: entry 2 to 3 is gone.',
  })
})

test('a trail written anew by the database’s owner is not signed again, and verifying says so (M9)', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, { companyId: admin.companyId })
  for (const name of ['a', 'b', 'c']) await renameDevice(t, admin, device.id, name)
  await checkpointFile(admin)
  await asOwner('delete from audit_checkpoints where company_id = $1', admin.companyId)
  const rewritten = await t.rows<TrailRow>('select * from audit_log where company_id = $1 order by seq', [
    admin.companyId,
  ])
  const forged = rehash(
    admin.companyId,
    rewritten.with(0, {
      ...(rewritten[0] as TrailRow),
      actor: { kind: 'user', id: '0', name: 'Nobody', role: 'admin' },
    }),
  )
  for (const { seq, actor, hash, prev_hash } of forged)
    await asOwner(
      `update audit_log set actor = '${JSON.stringify(actor)}', hash = '\\x${hash.toString('hex')}',
         prev_hash = '\\x${prev_hash.toString('hex')}' where company_id = $1 and seq = ${seq}`,
      admin.companyId,
    )
  await asOwner(
    'update audit_heads h set hash = (select hash from audit_log l where l.company_id = $1 and l.seq = h.seq) where company_id = $1',
    admin.companyId,
  )
  const verify = async () => (await t.call('GET', '/audit-log/verify', { token: admin.token })).body.payload
  expect(await verify()).toMatchObject({
    whole: false,
    fault: 'checkpointMissing',
    words: expect.stringMatching(/at or before entry 3 is no longer in the database/),
  })
  expect((await checkpointFile(admin)).checkpoints).toEqual([])
  await signTrails.run(t.services, {})
  expect(await verify()).toMatchObject({ fault: 'checkpointMissing', checkpoints: 0 })
  const evidence = (await t.call('GET', '/audit-log/evidence', { token: admin.token })).body
  expect(JSON.parse(evidence.split('\n')[0]).signed).toMatchObject({ number: 1, seq: '3' })
})

test('a checkpoint file of another company, an altered one, and nonsense are refused', async () => {
  const admin = await buildUser(t)
  await renameDevice(t, admin, (await aDevice(t, { companyId: admin.companyId })).id, 'a')
  const file = await checkpointFile(admin)
  const other = await buildUser(t)
  expect((await compare(other, file)).body.code).toBe('CHECKPOINTS_INVALID')
  const [checkpoint] = file.checkpoints
  const altered = {
    ...file,
    checkpoints: [{ ...checkpoint, hash: checkpoint.hash.replace(/^./, (c: string) => (c === '0' ? '1' : '0')) }],
  }
  expect((await compare(admin, altered)).body.code).toBe('CHECKPOINTS_INVALID')
  expect((await compare(admin, { ...file, checkpoints: [] })).status).toBe(422)
  expect((await compare(admin, { ...file, format: 'x' })).status).toBe(422)
  expect((await compare(admin, file)).body.payload.whole).toBe(true)
})

test('trails are signed by themselves, once they have grown or an hour has passed, and a broken one is not', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, { companyId: admin.companyId })
  const signed = async () => {
    await signTrails.run(t.services, {})
    const rows = await t.rows('select seq::int as seq from audit_checkpoints where company_id = $1 order by number', [
      admin.companyId,
    ])
    return rows.map(({ seq }) => seq)
  }
  expect(await signed()).toEqual([])
  await renameDevice(t, admin, device.id, 'a')
  expect(await signed()).toEqual([1])
  await renameDevice(t, admin, device.id, 'b')
  expect(await signed()).toEqual([1])
  t.clock.advance(3_600_000)
  expect(await signed()).toEqual([1, 2])
  t.clock.advance(3_600_000)
  expect(await signed()).toEqual([1, 2])
  await renameDevice(t, admin, device.id, 'c')
  await asOwner(`update audit_log set reason = 'x' where company_id = $1 and seq = 3`, admin.companyId)
  t.clock.advance(3_600_000)
  expect(await signed()).toEqual([1, 2])
})

test('after a new key the old checkpoints still count', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, { companyId: admin.companyId })
  await renameDevice(t, admin, device.id, 'a')
  await checkpointFile(admin)
  await rotateSigningKey(t.services.config.dataDir, t.clock.now())
  await renameDevice(t, admin, device.id, 'b')
  const file = await checkpointFile(admin)
  expect(new Set(file.checkpoints.map(({ keyId }: { keyId: string }) => keyId)).size).toBe(2)
  expect((await compare(admin, file)).body.payload).toMatchObject({ whole: true, checkpoints: 2 })
  expect((await t.call('GET', '/audit-log/keys')).body.payload).toEqual(file.keys)
})

test('checkpoints are posted to where the company wants them; an address that is private is not asked', async () => {
  const admin = await buildUser(t)
  await renameDevice(t, admin, (await aDevice(t, { companyId: admin.companyId })).id, 'a')
  const set = (webhookUrl: string | null) =>
    t.call('PUT', '/audit-log/settings', { token: admin.token, body: { webhookUrl } })
  const settings = async () => {
    await t.runJobs()
    return (await t.call('GET', '/audit-log/settings', { token: admin.token })).body.payload
  }
  const asked: string[] = []
  const receiver = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (part) => asked.push(part))
    request.on('end', () => response.end())
  })
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/audit`
  const allowPrivate = (webhookAllowPrivate: boolean) => Object.assign(t.services.config, { webhookAllowPrivate })
  onTestFinished(() => void allowPrivate(false))
  await checkpointFile(admin)
  // Saved while they were allowed.
  allowPrivate(true)
  expect((await set(url.replace('http:', 'https:'))).status).toBe(200)
  allowPrivate(false)
  expect(await settings()).toMatchObject({ lastSentAt: null, lastFailure: 'the address cannot be reached' })
  expect(asked).toEqual([])
  allowPrivate(true)
  await set(url)
  expect(await settings()).toMatchObject({
    webhookUrl: url,
    lastSentAt: t.clock.now().toISOString(),
    lastFailure: null,
  })
  const posted = JSON.parse(asked.join(''))
  expect((await compare(admin, posted)).body.payload).toMatchObject({
    whole: true,
    signedTo: posted.checkpoints.at(-1).seq,
  })
  await set(null)
  expect(await settings()).toMatchObject({ webhookUrl: null, lastSentAt: null })
  receiver.closeAllConnections()
  await new Promise((closed) => receiver.close(closed))
})

test('an address for checkpoints that nothing could be posted to is refused when it is saved, and the former one stays', async () => {
  const admin = await buildUser(t)
  const set = (webhookUrl: string) => t.call('PUT', '/audit-log/settings', { token: admin.token, body: { webhookUrl } })
  const outside = 'https://hooks.example.test/audit'
  expect((await set(outside)).status).toBe(200)
  for (const address of [
    'https://127.0.0.1/a',
    'https://192.168.1.9/a',
    'https://[fd00::1]/a',
    'https://localhost/a',
  ]) {
    const { status, body } = await set(address)
    expect(status, address).toBe(422)
    expect(body).toMatchObject({
      messages: ['Address for checkpoints: This address is in a private network: nothing is sent there.'],
      fields: { webhookUrl: ['This address is in a private network: nothing is sent there.'] },
    })
  }
  expect((await set('http://hooks.example.test/a')).body.fields.webhookUrl[0]).toContain('https://')
  const kept = await t.call('GET', '/audit-log/settings', { token: admin.token })
  expect(kept.body.payload.webhookUrl).toBe(outside)
})

/** The auditor's script on what was downloaded: its exit code and what it says. */
async function judge(trail: string, ...checkpoints: unknown[]) {
  const dir = await mkdtemp(join(tmpdir(), 'isotherm-auditor-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  await writeFile(join(dir, 'trail.jsonl'), trail)
  const files = await Promise.all(
    checkpoints.map(async (content, index) => {
      await writeFile(join(dir, `${index}.json`), JSON.stringify(content))
      return ['--checkpoints', join(dir, `${index}.json`)]
    }),
  )
  const script = join(import.meta.dirname, '../../../../scripts/verify-audit.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, join(dir, 'trail.jsonl'), ...files.flat()], {
    encoding: 'utf8',
  })
  return { status, said: stdout + stderr }
}

test('the whole trail can be had with its hashes, and be verified without the server', async () => {
  const admin = await buildUser(t)
  const device = await aDevice(t, { companyId: admin.companyId })
  for (const name of ['a', 'Ünicode ✓ "q"']) await renameDevice(t, admin, device.id, name)
  const evidence = async (): Promise<string> =>
    (await t.call('GET', '/audit-log/evidence', { token: admin.token })).body
  const first = await evidence()
  const [head, ...entries] = first
    .trim()
    .split('\n')
    .map((line: string) => JSON.parse(line))
  expect(head).toMatchObject({ format: 'isotherm-audit-trail-1', checkpoints: [{ seq: '2', hash: entries[1].hash }] })
  expect(entries).toMatchObject([{ seq: 1, after: { name: 'a' } }, { seq: 2 }])
  await rotateSigningKey(t.services.config.dataDir, t.clock.now())
  const file = await checkpointFile(admin)
  const trail = await evidence()
  expect(await judge(trail, file)).toMatchObject({ status: 0, said: expect.stringContaining('whole') })
  const lines = trail.trim().split('\n')
  const broken = async (altered: string[], words: string, ...files: unknown[]) =>
    expect(await judge(altered.join('\n'), ...files)).toMatchObject({ status: 1, said: expect.stringContaining(words) })
  await broken([lines[0] ?? '', (lines[1] ?? '').replace('"a"', '"b"'), ...lines.slice(2)], 'entry 1: its content')
  await broken(lines.toSpliced(2, 1), 'entry 2: here stands entry 3')
  await broken(lines.slice(0, -1), 'the end is gone')
  await broken([(lines[0] ?? '').replace(/"hash":"./, '"hash":"x'), ...lines.slice(1)], 'is forged')
  // Taken out of the database, but the server remembers what it signed.
  const without = (lines[0] ?? '').replace(/"checkpoints":\[.*\]/, '"checkpoints":[]')
  await broken([without, ...lines.slice(1)], 'is gone or another stands in its place')
  // The owner of the database wrote it anew with checkpoints of fewer entries: the kept file tells.
  await broken(
    first
      .trim()
      .split('\n')
      .slice(0, 2)
      .map((line, index) => (index ? line : line.replace(/"checkpoints":\[.*\]/, '"checkpoints":[]'))),
    'the end is gone',
    file,
  )
  expect((await judge('{}')).status).toBe(2)
})
