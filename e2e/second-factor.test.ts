import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeAt } from '../server/test/code-at.ts'
import { freePort } from '../server/test/free-port.ts'
import { axeFaults } from './axe.ts'
import { foundCompany, logIn, password } from './devices-company.ts'
import { authorization, freshAddress, teamMember } from './people.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
let baseURL: string

beforeAll(async () => {
  // The address of the server is a part of every passkey.
  const port = await freePort()
  baseURL = `http://localhost:${port}`
  stage = await openStage({ PORT: String(port), PUBLIC_URL: baseURL })
})
afterAll(() => stage?.close())

const query = (text: string, values: unknown[] = []) => stage.inDatabase((client) => client.query(text, values))

const codeOf = (secret: string) => codeAt(secret, new Date())
/** A code works once; nobody waits here for the next one. */
const forgetStep = (email: string) =>
  query('update totps set last_step = 0 where identity_id = (select id from identities where email = $1)', [email])

const pathOf = (page: Page) => new URL(page.url()).pathname
const arrives = (page: Page, path: string) => expect.poll(() => pathOf(page)).toBe(path)

async function typePassword(page: Page, email: string) {
  await page.goto('/login')
  await page.getByLabel('Mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

async function logOut(page: Page) {
  // Where no app runs that would store its session again.
  await page.goto('/worker.js')
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
  await page.getByLabel('Mail address').waitFor()
}

/** Sets codes up on the screen that is open; answers the secret and the recovery codes. */
async function setCodesUp(page: Page) {
  await page.getByRole('button', { name: 'Set up codes' }).click()
  await page.getByRole('img', { name: 'Code to scan with an authenticator app' }).waitFor()
  const uri = await page.getByRole('link', { name: 'Open in an app on this device' }).getAttribute('href')
  const secret = new URL(uri ?? '').searchParams.get('secret') ?? ''
  await page.getByLabel('Code of the app').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Switch on' }).click()
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect.poll(() => codes.count()).toBe(10)
  return { secret, recoveryCodes: await codes.allTextContents() }
}

/** A security key in the browser that checks its person by itself. */
async function plugKeyIn(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('codes are set up, asked for at the login and for a proof, and a recovery code takes their place', async () => {
  const page = await stage.page({ baseURL })
  const email = freshAddress('codes')
  await foundCompany(stage, page.request, 'Codes and Sons', email)
  await logIn(page, email)
  await page.goto('/settings/security')
  const { secret, recoveryCodes } = await setCodesUp(page)
  expect(await axeFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByText('10 recovery codes are left.').waitFor()

  await logOut(page)
  await typePassword(page, email)
  await page.getByRole('heading', { name: 'Second step' }).waitFor()
  expect(await axeFaults(page)).toEqual([])
  await page.getByLabel('Code of the app').fill('000000')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByText('This code is wrong, expired or was used already.').first().waitFor()
  await forgetStep(email)
  await page.getByLabel('Code of the app').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await arrives(page, '/dashboard')

  // The proof grows old while the person looks at the screen.
  await page.goto('/settings/security')
  await query("update sessions set proved_at = now() - interval '1 hour'")
  await page.getByRole('button', { name: 'New recovery codes' }).click()
  const make = page.getByRole('dialog').getByRole('button', { name: 'New recovery codes' })
  await make.click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  // The button waited for its call meanwhile: it has the focus again once it may be pressed.
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => make.evaluate((button) => button === document.activeElement)).toBe(true)
  await make.click()
  await dialog.getByLabel('Code of your authenticator app').waitFor()
  expect(await axeFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
  await dialog.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByText('10 recovery codes are left.').waitFor()
  expect(stage.faults).toEqual([])
})

test('a passkey is added, logs in without a password, and is removed', async () => {
  const page = await stage.page({ baseURL })
  const email = freshAddress('passkey')
  await foundCompany(stage, page.request, 'Passkey and Sons', email)
  await logIn(page, email)
  await plugKeyIn(page)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Office computer')
  await page.getByRole('button', { name: 'Make the passkey' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByRole('list', { name: 'Passkeys' }).getByText('Office computer').waitFor()

  await logOut(page)
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await arrives(page, '/dashboard')
  await page.goto('/settings/security')
  await page.getByText('By passkey').waitFor()

  await logOut(page)
  await query('update passkeys set counter = 1000000')
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await page.getByText('This passkey was not accepted.').waitFor()
  await query('update passkeys set counter = 0')
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await arrives(page, '/dashboard')
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Remove Office computer' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('The passkey was removed.').waitFor()
  expect(stage.faults).toEqual([])
})

test('where the company asks for a second factor, who has none sets it up before anything else', async () => {
  const page = await stage.page({ baseURL })
  const email = freshAddress('strict')
  await foundCompany(stage, page.request, 'Strict and Sons', email)
  await logIn(page, email)
  const member = await teamMember(stage, page, { fullname: 'Bola Staff', role: 'staff' })
  await page.goto('/settings/security')
  await setCodesUp(page)
  await page.getByRole('button', { name: 'I have kept them' }).click()
  const rules = await page.request.patch('/app/api/v1/auth/company/logins', {
    headers: await authorization(page),
    data: { secondFactorFrom: new Date().toISOString(), idleMinutes: null, sessionHours: null },
  })
  expect(rules.ok()).toBe(true)

  const theirs = await stage.page({ baseURL })
  await typePassword(theirs, member)
  await arrives(theirs, '/enrol')
  await theirs.getByRole('button', { name: 'Set up codes' }).waitFor()
  expect(await axeFaults(theirs)).toEqual([])
  await theirs.goto('/devices/device-overview')
  await arrives(theirs, '/enrol')
  await setCodesUp(theirs)
  await theirs.getByRole('button', { name: 'I have kept them' }).click()
  await arrives(theirs, '/dashboard')

  await page.goto('/users/all-users')
  await page.getByRole('button', { name: 'Actions for Bola Staff', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Reset second factor' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset second factor' }).click()
  await page.getByText('The second factor was reset.').waitFor()
  await theirs.reload()
  await arrives(theirs, '/login')
  expect(stage.faults).toEqual([])
})
