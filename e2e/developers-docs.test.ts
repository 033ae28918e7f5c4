import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildClient } from '../scripts/run/client.mjs'
import { freePort } from '../server/test/free-port.ts'
import { type MailServer, startMailServer } from '../server/test/mail-server.ts'
import { measure, password, stockUp } from './devices-company.ts'
import { authorization, freshAddress } from './people.ts'
import { openStage, type Stage } from './stage.ts'

/*
 * A stranger's first hour: somebody who has no account follows docs/developers.md to the letter, from the sign-up on. The programs of that page are taken
 * from it and run; the test types what the page says, and nothing else. Mails come by SMTP.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

let mails: MailServer
let stage: Stage
let page: Page
let dir: string
let blocks: { language: string; code: string }[]
let env: Record<string, string>
const started: ChildProcess[] = []

beforeAll(async () => {
  mails = await startMailServer()
  stage = await openStage({ CHECK_ANSWERS: '1', WEBHOOK_ALLOW_PRIVATE: '1', SMTP_URL: mails.url })
  dir = await mkdtemp(join(tmpdir(), 'isotherm-stranger-'))
  const text = await readFile(join(root, 'docs/developers.md'), 'utf8')
  blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({ language, code }))
  for (const { language, code } of blocks) {
    const [, name] = /^(?:\/\/|#) file: (\S+)/.exec(code) ?? []
    if (language !== 'sh') await writeFile(join(dir, name ?? 'unnamed'), code)
  }
  // The package, as `npm install <checkout>/client` would link it.
  const built = join(dir, 'node_modules/@isotherm/client')
  await mkdir(join(dir, 'node_modules/@isotherm'), { recursive: true })
  await mkdir(built)
  expect(await buildClient(join(built, 'dist'))).toBe(0)
  await writeFile(join(built, 'package.json'), await readFile(join(root, 'client/package.json')))
  await writeFile(join(dir, 'package.json'), '{ "type": "module" }')
  await symlink(join(root, 'node_modules/@types'), join(dir, 'node_modules/@types'))
}, 180_000)
afterAll(async () => {
  for (const child of started) child.kill()
  await stage?.close()
  await mails?.close()
  await rm(dir, { recursive: true, force: true })
})

const hasPython = () =>
  run('python3', ['--version']).then(
    () => true,
    () => false,
  )

/** The command of the page that has a text in it, run in a shell. */
async function command(part: string, more: Record<string, string> = {}): Promise<string> {
  const { code } = blocks.find((block) => block.language === 'sh' && block.code.includes(part)) ?? { code: 'exit 1' }
  const { stdout } = await run('sh', ['-euc', code], { cwd: dir, env: { ...env, ...more } })
  return stdout
}

/** Starts a receiver of the page; resolves to what it prints. */
function receive(program: string, file: string, more: Record<string, string>): { printed: () => string } {
  const child = spawn(program, [file], { cwd: dir, env: { ...env, ...more } })
  started.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  return { printed: () => output }
}

async function claim(name: string, imei: string) {
  const { key, codes, secrets } = await stockUp(stage, [imei])
  const data = { name, imei, claimCode: codes.get(imei), licenceKey: key, intervalS: 180 }
  const answer = await page.request.post('/app/api/v1/devices/setup', { headers: await authorization(page), data })
  expect(answer.ok(), await answer.text()).toBe(true)
  return secrets.get(imei) ?? ''
}

async function takeSecret(button: string): Promise<string> {
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue()
  await page.getByRole('button', { name: button }).click()
  return secret
}

test('the page’s programs compile under strict, as people would have them', async () => {
  const compilerOptions = {
    ...{
      strict: true,
      noEmit: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
    },
    ...{ target: 'esnext', module: 'nodenext', lib: ['es2024', 'dom', 'dom.asynciterable'], types: ['node'] },
  }
  await writeFile(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const told = await run(process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    '-p',
    dir,
    '--pretty',
    'false',
  ]).catch((error: { stdout: string }) => error)
  expect(told.stdout).toBe('')
})

const tokenOf = (link: string) => link.split('#').at(-1) ?? ''

test('the company is signed up by the page’s commands, which make a key that finds no device yet', async () => {
  env = { PATH: `${join(process.execPath, '..')}:${process.env.PATH ?? ''}`, ISOTHERM: stage.base }
  const person = { MAIL: freshAddress('ada'), PASSWORD: password }
  const payloadOf = async (part: string, more: Record<string, string>) => JSON.parse(await command(part, more)).payload
  expect(await payloadOf('/auth/register', person)).toEqual({ email: person.MAIL })
  await expect(command('/auth/login', person)).rejects.toThrow()
  await command('/auth/verify', { TOKEN: tokenOf(await mails.linkTo(person.MAIL, 'verify')) })
  const { tokens, user } = await payloadOf('/auth/login', person)
  expect(user).toMatchObject({ email: person.MAIL, role: 'admin' })
  const { keys } = await payloadOf('/enterprise/developer', { SESSION: tokens.accessToken })
  expect(await payloadOf('/devices?perPage=5', { ISOTHERM_KEY: keys[0].secret })).toMatchObject({ data: [] })
})

test('another company is signed up on the screen, by the link of the mail, up to the first look at /developers', async () => {
  page = await stage.page()
  const email = freshAddress('amina')
  await page.goto('/signup')
  await page.getByLabel('Company').fill('Lagos Cold Stores')
  await page.getByLabel('Full name').fill('Amina Bello')
  await page.getByLabel('Mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
  await page.goto(await mails.linkTo(email, 'verify'))
  await page.getByRole('button', { name: 'Verify my address' }).click()
  await page.getByRole('link', { name: 'Go to login' }).click()
  await page.getByLabel('Mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL('**/companyprofile')
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await page.waitForURL('**/dashboard')
  await page.getByRole('link', { name: 'Developers' }).click()
  await page.getByRole('button', { name: 'Add key' }).waitFor()
})

test('a key is made on the screen, and the page’s first calls find the company’s device', async () => {
  const [name, imei] = ['Fridge 1', '490154203237518']
  await claim(name, imei)
  await page.goto('/developers')
  await page.getByRole('button', { name: 'Add key' }).click()
  await page.getByLabel('Name').fill('My first program')
  await page.getByRole('button', { name: 'Make key' }).click()
  const key = await takeSecret('I have kept it')
  env = { ...env, ISOTHERM_KEY: key }
  expect(JSON.parse(await command('/devices?perPage=5'))).toMatchObject({
    success: true,
    payload: { data: [{ name }] },
  })
  expect(await command('devices.ts')).toBe(`${name} ${imei}\n404 NOT_FOUND\n`)
  if (await hasPython()) expect(await command('devices.py')).toBe(`${name} ${imei}\n`)
  else console.log('python3 is not here: its programs were not run')
})

test('an endpoint is made on the screen, and the page’s receivers take its test event and refuse a forged one', async () => {
  const port = await freePort()
  await page.getByRole('button', { name: 'Add endpoint' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Address').fill(`http://127.0.0.1:${port}/`)
  await form.getByLabel('Excursions', { exact: true }).check()
  await form.getByRole('button', { name: 'Add endpoint' }).click()
  const secret = await takeSecret('I have copied it')
  const more = { WEBHOOK_SECRET: secret, RECEIVER_PORT: String(port) }
  const delivered = page.getByRole('list', { name: 'Messages' }).getByText('Delivered')
  const programs: [string, string][] = [['node', 'receive.ts']]
  if (await hasPython()) programs.push(['python3', 'receive.py'])
  for (const [index, [program, file]] of programs.entries()) {
    const receiver = receive(program, file, more)
    const forged = () =>
      fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: {
          'webhook-id': 'x',
          'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
          'webhook-signature': 'v1,AAAA',
        },
        body: '{}',
      }).then(
        ({ status }) => status,
        () => 'not yet',
      )
    await expect.poll(forged).toBe(400)
    expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })).status).toBe(400)
    await page.getByRole('button', { name: 'Send test event' }).click()
    await expect.poll(receiver.printed).toBe('webhook.test\n')
    await expect.poll(() => delivered.count()).toBe(index + 1)
    const child = started.pop()
    child?.kill()
    await new Promise((resolve) => child?.once('exit', resolve))
  }
})

test('the page’s program goes on from the feed', async () => {
  await claim('Fridge 2', '490154203237526')
  await expect.poll(() => command('follow.ts')).toMatch(/device\.claimed\n(.*\n)*go on from \d+\n$/)
  // It has kept where it was, and goes on from there.
  expect(await command('follow.ts')).not.toContain('device.claimed')
  const { data, next } = JSON.parse(await command('/events?')).payload
  expect(data).toContainEqual(expect.objectContaining({ type: 'device.claimed' }))
  if (!(await hasPython())) return
  expect(await command('follow.py')).toBe(`go on from ${next}\n`)
  await rm(join(dir, 'next.txt'))
  expect(await command('follow.py')).toMatch(/device\.claimed\n(.*\n)*go on from \d+\n$/)
})

test('the page’s programs export what was measured', async () => {
  const [name, imei] = ['Fridge 3', '490154203237534']
  const secret = await claim(name, imei)
  const at = new Date().toISOString()
  expect(await measure(page, imei, secret, { at, temperatureC: 4.5 })).toMatchObject({ payload: { accepted: 1 } })
  const expected = [`${name} ${at} 4.5`, expect.stringMatching(/^go on from \S+$/)]
  for (const program of ['readings.ts', ...((await hasPython()) ? ['readings.py'] : [])])
    expect((await command(program)).trim().split('\n').slice(0, 2), program).toEqual(expected)
})

test('the page’s commands play a scenario in a sandbox and wind its clock', async () => {
  const headers = await authorization(page)
  const post = async (path: string, by: Record<string, string>, data: object = {}) =>
    (await (await page.request.post(`/app/api/v1${path}`, { headers: by, data })).json()).payload
  await post('/developer/sandbox', headers)
  const own = { authorization: `Bearer ${(await post('/developer/sandbox/open', headers)).accessToken}` }
  const rights = { view: true, addOrEdit: true, export: false }
  const none = { view: false, addOrEdit: false, export: false }
  const others = { groups: none, reports: none, users: none, dispatch: none, payments: none }
  const keys = [{ name: 'Program', permissions: { devices: rights, alarms: rights, ...others } }]
  const made = await page.request.put('/app/api/v1/enterprise/developer', { headers: own, data: { keys } })
  env = { ...env, ISOTHERM_KEY: (await made.json()).payload.keys[0].secret }
  const read = async (path: string) =>
    (await (await page.request.get(`/app/api/v1${path}`, { headers: own })).json()).payload
  const list: { id: string; name: string }[] = (await read('/devices')).data
  const fridge = list.find(({ name }) => name === 'Sample fridge')?.id
  const userId = (await read('/auth/profile')).user.id
  const recipients = [{ userId, channels: ['app'] }]
  const rule = { kind: 'value', temperatureMaxC: 8 }
  await post('/alarms', own, { name: 'Too warm', rule, deviceIds: [fridge], recipients })
  const windsTo = async () => (await read('/sandbox/clock')).clock.windsTo
  const standing = () => expect.poll(windsTo, { timeout: 60_000 }).toBeNull()
  const before = Date.parse((await read('/sandbox/clock')).clock.now)
  expect(JSON.parse(await command('/sandbox/scenarios'))).toMatchObject({ success: true })
  await standing()
  const [trigger] = (await read('/alarm-triggers')).data
  expect(trigger).toMatchObject({ deviceName: 'Sample fridge' })
  expect(JSON.parse(await command('/sandbox/wind'))).toMatchObject({ success: true })
  await standing()
  expect(Date.parse((await read('/sandbox/clock')).clock.now) - before).toBe(3 * 3_600_000)
})
