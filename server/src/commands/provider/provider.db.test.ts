import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { aDevice, renameDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { buildHardware, newImei } from '../../../test/stock.ts'
import { trailOf } from '../../../test/trail.ts'
import { signingKeys } from '../../platform/config/signing-keys.ts'
import { provider } from './provider.ts'

let folder: string
const t = describeApp()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-provider-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function run(...args: string[]) {
  const out: string[] = []
  const warned: string[] = []
  const code = await provider(args, {
    pool: t.pool,
    dataDir: t.services.config.dataDir,
    publicUrl: 'https://cold.example',
    out: (line) => void out.push(line),
    warn: (line) => void warned.push(line),
  })
  return { code, out, warned: warned.join('\n') }
}
let files = 0
async function importing(text: string, ...options: string[]) {
  files += 1
  const file = join(folder, `${files}.csv`)
  await writeFile(file, text)
  return run('devices', 'import', file, ...options)
}
const stockOf = async (imei: string) => (await t.pool.query('select * from hardware where imei = $1', [imei])).rows[0]
const hash = (secret: string) => createHash('sha256').update(secret).digest()

test('a command that is only asked about is explained and not run', async () => {
  const before = await signingKeys(t.services.config.dataDir)
  for (const flag of ['--help', '-h']) {
    const { code, out } = await run('audit', 'rotate-key', flag)
    expect(code).toBe(0)
    expect(out.join('\n')).toContain('a new key for the checkpoints')
    expect(out.join('\n')).not.toContain('devices import')
  }
  expect((await signingKeys(t.services.config.dataDir)).id).toBe(before.id)
  expect((await run('billing', '--help')).out.join('\n')).toContain('pause|resume [--company ID]')
  expect((await run('devices', 'import', '--help')).out.join('\n')).toContain('columns imei, type')
  expect((await run('--help')).out.join('\n')).toContain('provider insurances retire')
})

test('a word too many is refused before anything is done', async () => {
  const { code, warned, out } = await run('billing', 'pause', '7')
  expect({ code, out }).toEqual({ code: 2, out: [] })
  expect(warned).toContain('"7" has no meaning here')
  expect(warned).toContain('--company ID')
  expect((await run('plans', 'archive', 'five-devices', 'ten-devices')).warned).toContain('"ten-devices"')
})

describe('devices import', () => {
  test('takes hardware into stock, makes the secrets that are missing and prints them', async () => {
    const [a, b] = [newImei(), newImei()]
    const own = 'a-secret-of-the-provider-itself'
    const { code, out } = await importing(`imei,type,secret,probes\n${a},fridge,,\n${b}, van ,${own},4\n`)
    expect(code).toBe(0)
    const printed = '[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}'
    expect(out).toEqual([
      'imei,type,secret,probes,code',
      expect.stringMatching(new RegExp(`^${a},fridge,[\\w-]{27},1,${printed}$`)),
      expect.stringMatching(new RegExp(`^${b},van,,4,${printed}$`)),
    ])
    const made = out[1]?.split(',')[2] ?? ''
    expect(await stockOf(a)).toMatchObject({ type: 'fridge', probes: 1, secret_hash: hash(made) })
    expect(await stockOf(b)).toMatchObject({ type: 'van', probes: 4, secret_hash: hash(own) })
  })

  test('leaves known hardware as it is, unless told to replace it', async () => {
    const imei = newImei()
    await importing(`imei,type\n${imei},fridge`)
    const before = await stockOf(imei)
    const again = await importing(`imei,type\n${imei},van`)
    expect([again.code, again.out]).toEqual([0, []])
    expect(again.warned).toContain(`${imei} is in stock already`)
    expect(await stockOf(imei)).toEqual(before)
    const replaced = await importing(`imei,type\n${imei},van`, '--replace')
    // The label that is printed already stays good.
    expect(replaced.out).toEqual(['imei,type,secret,probes,code', expect.stringMatching(/,van,[\w-]{27},1,$/)])
    const after = await stockOf(imei)
    expect(after.type).toBe('van')
    expect(after.secret_hash).not.toEqual(before.secret_hash)
    expect(after.claim_hash).toEqual(before.claim_hash)
  })

  test('warns of a wrong check digit, and takes it when told to', async () => {
    const [good, wrong] = [newImei(), newImei({ wrong: true })]
    const refused = await importing(`imei,type\n${good},fridge\n${wrong},fridge`)
    expect([refused.code, refused.out]).toEqual([2, []])
    expect(refused.warned).toContain(`line 3: the check digit of ${wrong} is wrong`)
    expect(await stockOf(good)).toBeUndefined()
    expect((await importing(`imei,type\n${good},fridge\n${wrong},fridge`, '--force')).code).toBe(0)
    expect(await stockOf(wrong)).toBeDefined()
  })

  test('names every fault with its line, and takes nothing', async () => {
    const imei = newImei()
    const text = `imei,type,secret,probes\n${imei},fridge,,\n123,,short,17\n${imei},fridge,,`
    const { code, warned } = await importing(text)
    expect(code).toBe(2)
    expect(warned.split('\n')).toEqual([
      'line 3: "123" is no IMEI: 15 digits are expected',
      'line 3: a type is needed, such as fridge',
      'line 3: a secret has 22 to 200 printable signs',
      'line 3: probes are 1 to 16',
      `line 4: ${imei} was there before`,
    ])
    expect(await stockOf(imei)).toBeUndefined()
  })

  test.each(['', 'imei\n1', 'type,imei,colour\n', '"imei,type\n'])('refuses %j', async (text) => {
    expect((await importing(text)).code).toBe(2)
  })

  test('says which file is missing', async () => {
    expect(await run('devices', 'import', '/nowhere.csv')).toMatchObject({
      code: 2,
      warned: expect.stringContaining('/nowhere.csv'),
    })
    expect((await run('devices', 'import')).code).toBe(2)
  })
})

describe('labels', () => {
  const textOf = async (file: string) => (await extractText(new Uint8Array(await readFile(file)))).text.join(' ')

  test('are printed by the import, with the codes that it made (H2)', async () => {
    const imeis = Array.from({ length: 30 }, () => newImei())
    const labels = join(folder, 'import.pdf')
    const text = `imei,type\n${imeis.map((imei) => `${imei},fridge`).join('\n')}`
    const { out, warned } = await importing(text, '--labels', labels)
    expect(warned).not.toContain('localhost')
    const printed = await textOf(labels)
    for (const line of out.slice(1)) {
      const [imei = '', , , , code = ''] = line.split(',')
      expect(printed).toContain(imei)
      expect(printed).toContain(code)
    }
  })

  test('are made anew for free hardware without a code, and for what is named (H2)', async () => {
    const [old, coded] = [newImei(), newImei()]
    await importing(`imei,type\n${old},fridge\n${coded},fridge`)
    await t.pool.query('update hardware set claim_hash = null where imei = $1', [old])
    const before = await stockOf(coded)
    const first = await run('devices', 'labels', join(folder, 'free.pdf'))
    expect(first.out).toEqual(['imei,code', expect.stringContaining(`${old},`)])
    expect((await stockOf(coded)).claim_hash).toEqual(before.claim_hash)
    expect((await run('devices', 'labels', join(folder, 'none.pdf'))).out).toEqual([])
    const named = await run('devices', 'labels', join(folder, 'named.pdf'), coded)
    expect(await textOf(join(folder, 'named.pdf'))).toContain(named.out[1]?.split(',')[1])
    expect((await stockOf(coded)).claim_hash).not.toEqual(before.claim_hash)
  })

  test('that cannot be written leave every code as it was (H2)', async () => {
    const imei = newImei()
    await importing(`imei,type\n${imei},fridge`)
    const before = await stockOf(imei)
    await writeFile(join(folder, 'taken.pdf'), 'labels of before')
    for (const file of ['taken.pdf', 'no/where.pdf'])
      expect(await run('devices', 'labels', join(folder, file), imei)).toMatchObject({ code: 2, out: [] })
    expect(await readFile(join(folder, 'taken.pdf'), 'utf8')).toBe('labels of before')
    expect(await stockOf(imei)).toEqual(before)
    expect((await run('devices', 'labels')).code).toBe(2)
    expect((await run('devices', 'labels', join(folder, 'x.pdf'), newImei())).warned).toContain('Not in stock')
  })
})

describe('licences issue', () => {
  test('prints as many different keys as asked for, which claim devices', async () => {
    const { code, out } = await run('licences', 'issue', '--devices', '5', '--months', '12', '--count', '3')
    expect(code).toBe(0)
    expect(new Set(out).size).toBe(3)
    const { token } = await buildUser(t)
    for (const key of out) {
      const { payload } = (await t.call('GET', `/license/${key}`, { token })).body
      expect(payload).toMatchObject({ state: 'free', devices: 5, months: 12 })
    }
  })

  test.each([
    [],
    ['--devices', '5'],
    ['--devices', '0', '--months', '1'],
    ['--devices', '1.5', '--months', '1'],
    ['--devices', '1', '--months', '121'],
    ['--devices', '1', '--months', '1', '--count', 'x'],
    ['--devices', '1', '--months', '1', '--colour', 'red'],
  ])('refuses %j', async (...args) => {
    expect((await run('licences', 'issue', ...args)).code).toBe(2)
  })
})

test('lists show stock, keys and companies, and who uses what', async () => {
  const admin = await buildUser(t)
  const imei = newImei()
  const [, imported = ''] = (await importing(`imei,type\n${imei},fridge`)).out
  const claimCode = imported.split(',').at(-1)
  const [key] = (await run('licences', 'issue', '--devices', '1', '--months', '1')).out
  const line = async (what: string, sign: string) => (await run(what, 'list')).out.find((each) => each.includes(sign))
  expect(await line('devices', imei)).toMatch(/fridge +1 +free$/)
  expect(await line('licences', key?.slice(-4) ?? '')).toMatch(/free$/)
  const body = { imei, claimCode, licenceKey: key, name: 'Fridge \u202e one' }
  expect((await t.call('POST', '/devices/setup', { token: admin.token, body })).status).toBe(200)
  expect(await line('devices', imei)).toContain('Fridge ? one')
  expect(await line('licences', key?.slice(-4) ?? '')).not.toMatch(/free$/)
  expect((await run('licences', 'list')).out.join()).not.toContain(key)
  const companies = (await run('companies', 'list')).out
  expect(companies.find((each) => each.startsWith(`${admin.companyId} `))).toMatch(/ 1 +1 +\d{4}-\d\d-\d\d$/)
})

test('anything else explains itself', async () => {
  for (const args of [[], ['devices'], ['devices', 'burn'], ['licences', 'import', 'x']]) {
    const { code, warned } = await run(...args)
    expect([code, warned.includes('provider licences issue')]).toEqual([2, true])
  }
  expect((await run('--help')).code).toBe(0)
})

test('a new key for audit trails is vouched for by the one before', async () => {
  const before = await signingKeys(t.services.config.dataDir)
  const { code, out } = await run('audit', 'rotate-key')
  const after = await signingKeys(t.services.config.dataDir)
  expect(code).toBe(0)
  expect(out.join()).toContain(after.id)
  expect(after.known.map(({ id, signedBy }) => [id, signedBy])).toEqual([
    [before.id, null],
    [after.id, before.id],
  ])
})

describe('audit accept-restore', () => {
  async function signedCompany() {
    const admin = await buildUser(t)
    const device = await aDevice(t, { companyId: admin.companyId })
    await renameDevice(t, admin, device.id, 'before')
    await t.call('GET', '/audit-log/checkpoints', { token: admin.token })
    return { admin, device }
  }
  const verify = async (token: string) => (await t.call('GET', '/audit-log/verify', { token })).body.payload

  /** The database goes back to before the last checkpoint, as a restore of an older state leaves it. */
  async function goBack(companyId: number) {
    const client = await t.pool.connect()
    const tables = ['audit_log', 'audit_heads', 'audit_checkpoints']
    for (const table of tables)
      await client.query(`alter table ${table} no force row level security, disable trigger user`)
    for (const table of tables) await client.query(`delete from ${table} where company_id = $1`, [companyId])
    for (const table of tables) await client.query(`alter table ${table} force row level security, enable trigger user`)
    client.release()
  }

  test('lets a trail go on from an older database, with an entry that says so (M9)', async () => {
    const { admin, device } = await signedCompany()
    const untouched = await signedCompany()
    await goBack(admin.companyId)
    expect((await verify(admin.token)).fault).toBe('checkpointMissing')
    expect((await run('audit', 'accept-restore')).warned).toContain('--reason is needed')
    const { code, out } = await run('audit', 'accept-restore', '--reason', 'Disk lost; backup of 3:15 restored')
    expect(code).toBe(0)
    expect(out).toEqual([
      `company ${admin.companyId}: signed to entry 1, goes on from entry 0`,
      'Accepted: 1. Each trail has an entry that says so.',
    ])
    expect(await trailOf(t, admin.companyId)).toMatchObject([
      {
        action: 'audit.restoreAccepted',
        actor: { kind: 'system', name: 'provider' },
        before: { signedCheckpoint: 1, signedTo: '1' },
        after: { signedCheckpoint: 0, signedTo: '0' },
        reason: 'Disk lost; backup of 3:15 restored',
      },
    ])
    await renameDevice(t, admin, device.id, 'after')
    const file = (await t.call('GET', '/audit-log/checkpoints', { token: admin.token })).body
    expect(file.checkpoints).toMatchObject([{ number: 1, seq: '2' }])
    expect(await verify(admin.token)).toMatchObject({ whole: true, signedTo: '2' })
    expect(await trailOf(t, untouched.admin.companyId)).toHaveLength(2)
    expect((await run('audit', 'accept-restore', '--reason', 'again')).out).toEqual(['No trail was accepted.'])
  })

  test('leaves a trail alone that is broken otherwise (M9)', async () => {
    const { admin } = await signedCompany()
    const client = await t.pool.connect()
    await client.query('alter table audit_log no force row level security, disable trigger user')
    await client.query('alter table audit_checkpoints no force row level security, disable trigger user')
    await client.query('delete from audit_checkpoints where company_id = $1', [admin.companyId])
    await client.query(`update audit_log set action = 'x.y' where company_id = $1`, [admin.companyId])
    await client.query('alter table audit_log force row level security, enable trigger user')
    await client.query('alter table audit_checkpoints force row level security, enable trigger user')
    client.release()
    const { out, warned } = await run('audit', 'accept-restore', '--reason', 'looks fine')
    expect(out).toEqual(['No trail was accepted.'])
    expect(warned).toMatch(new RegExp(`company ${admin.companyId}: the trail is broken at entry 1`))
    expect((await verify(admin.token)).whole).toBe(false)
  })
})

test('devices approve keeps the number under which the PPECB approved a type, and takes it away', async () => {
  expect((await run('devices', 'approve')).out).toEqual(['The PPECB approved no type of hardware.'])
  // A type that is mistyped would never be printed.
  const unknown = await run('devices', 'approve', 'T1', 'PPECB-L-0042')
  expect(unknown).toMatchObject({ code: 2, warned: expect.stringContaining('no hardware of the type "T1"') })
  expect((await run('devices', 'approve')).out).toEqual(['The PPECB approved no type of hardware.'])
  await buildHardware(t, { type: 'T1' })
  expect((await run('devices', 'approve', 'T1', 'PPECB-L-0042')).out).toEqual(['T1: PPECB PPECB-L-0042'])
  expect((await run('devices', 'approve', 'T1', 'PPECB-L-0043')).out).toEqual(['T1: PPECB PPECB-L-0043'])
  expect((await run('devices', 'approve', 'T1')).code).toBe(2)
  expect((await run('devices', 'approve', 'T1', 'none')).out).toEqual(['The PPECB approved no type of hardware.'])
  expect((await run('log', 'list')).out.join('\n')).toContain('devices.approve')
})
