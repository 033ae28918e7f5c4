import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeAt } from '../server/test/code-at.ts'
import { freePort } from '../server/test/free-port.ts'
import { type OidcPeer, startOidcPeer } from '../server/test/oidc-peer.ts'
import { foundCompany, logIn, password, provider } from './devices-company.ts'
import { teamMember } from './people.ts'
import { openStage, type Stage } from './stage.ts'

const domain = 'sso-journey.test'
const boss = `boss@${domain}`

let stage: Stage
let peer: OidcPeer
let page: Page
let recoveryCodes: string[]
beforeAll(async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  peer = await startOidcPeer(`${url}/login/sso`)
  stage = await openStage({ PORT: String(port), PUBLIC_URL: url, WEBHOOK_ALLOW_PRIVATE: '1', CHECK_ANSWERS: '1' })
  page = await stage.page()
  await foundCompany(stage, page.request, 'Sign-on Ltd', boss)
  peer.people.set('boss', { email: boss, email_verified: true, name: 'Ada Obi' })
})
afterAll(async () => {
  await stage?.close()
  await peer?.close()
})

/** The issuer's login page. */
async function enterAtIssuer(at: Page, login: string) {
  await at.locator('input[name=login]').fill(login)
  await at.locator('input[name=password]').fill('x')
  await at.locator('button[type=submit]').click()
}

/** The same, and the consent that it asks for once. */
async function logInAtIssuer(at: Page, login: string) {
  await enterAtIssuer(at, login)
  await at.getByRole('button', { name: 'Continue' }).click()
}

const byPassword = async (at: Page, email: string) => {
  await at.goto('/login')
  await at.getByLabel('Mail address').fill(email)
  await at.getByLabel('Password', { exact: true }).fill(password)
  await at.getByRole('button', { name: 'Log in', exact: true }).click()
}

/** From the login form to the issuer. */
async function toIssuer(at: Page, email: string) {
  await at.goto('/login')
  await at.getByRole('link', { name: 'Continue with single sign-on' }).click()
  // The login form stands until the next screen has come.
  await at.getByRole('heading', { name: 'Single sign-on' }).waitFor()
  await at.getByLabel('Mail address').fill(email)
  await at.getByRole('button', { name: 'Continue' }).click()
}

/** Codes of an app for whoever is logged in; their recovery codes. */
async function setCodesUp(): Promise<string[]> {
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('isotherm.session') ?? '{}').token)
  const ask = async (path: string, data: object) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await page.request.post(`/app/api/v1${path}`, { headers, data })
    return (await answer.json()).payload
  }
  const { secret } = await ask('/auth/totp', {})
  return (await ask('/auth/totp/confirm', { code: codeAt(secret, new Date()) })).recoveryCodes
}

const step = (name: string) => page.getByRole('region', { name })

test('an Admin sets it up by the page alone: issuer, domain, test, on', async () => {
  await logIn(page, boss)
  await page.goto('/settings/security/sso')
  const first = step('1. Your identity provider')
  const redirect = first.getByLabel('Redirect address', { exact: true })
  await expect.poll(() => redirect.inputValue()).toBe(`${stage.base}/login/sso/1`)
  await first.getByLabel('Issuer').fill(`${peer.issuer}/.well-known/openid-configuration`)
  await first.getByLabel('Client ID').fill(peer.clientId)
  await first.getByLabel('Client secret').fill(peer.clientSecret)
  await first.getByRole('button', { name: 'Save and check' }).click()
  await page.getByText('Next: prove a mail domain of your company.').waitFor()
  const second = step('2. Mail domains')
  await second.getByLabel('Domain', { exact: true }).fill(domain)
  await second.getByRole('button', { name: 'Add domain' }).click()
  const record = await second.getByLabel('Text of the record', { exact: true }).inputValue()
  expect(record).toMatch(/^isotherm-verification=/)
  await second.getByRole('button', { name: 'Check now' }).click()
  await second.getByRole('alert').waitFor()
  await provider(stage, 'sso', 'verify-domain', '--company', '1', '--domain', domain)
  await second.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('Next: test the login.').waitFor()
  await page.getByRole('button', { name: 'Test the login' }).click()
  await logInAtIssuer(page, 'boss')
  await page.getByText('The test passed').waitFor()
  await expect.poll(() => page.url()).toBe(`${stage.base}/settings/security/sso`)
  await page.getByText(`The identity provider named: Ada Obi, ${boss}`).waitFor()
  await page.getByText('Next: switch it on.').waitFor()
  const last = step('4. Switch on')
  await last.getByLabel('Offered beside the password').check()
  await last.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Passwords work, too.').waitFor()
})

test('people come in by the issuer; strangers, and addresses without single sign-on, hear so', async () => {
  const email = await teamMember(stage, page, { fullname: 'Chidi', role: 'staff' })
  const chidi = await stage.page()
  await toIssuer(chidi, `chidi@${domain}`)
  peer.people.set('chidi', { email: `chidi@${domain}`, email_verified: true, name: 'Chidi' })
  await logInAtIssuer(chidi, 'chidi')
  // Nobody of the company has this address.
  await chidi.getByRole('heading', { name: 'You were not logged in' }).waitFor()
  await expect.poll(() => new URL(chidi.url()).search).toBe('')
  expect(email).not.toContain(domain)
  const ada = await stage.page()
  await toIssuer(ada, boss)
  await logInAtIssuer(ada, 'boss')
  await ada.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await expect.poll(() => new URL(ada.url()).search).toBe('')
  await ada.context().close()
  const stranger = await stage.page()
  await toIssuer(stranger, 'x@nowhere.test')
  await stranger.getByText('There is no single sign-on for this address.').waitFor()
  await stranger.context().close()
})

test('enforced: passwords lead to single sign-on, and the chosen Admin keeps theirs', async () => {
  const added = await page.request.post('/app/api/v1/users', {
    headers: await page.evaluate(() => ({
      authorization: `Bearer ${JSON.parse(localStorage.getItem('isotherm.session') ?? '{}').token}`,
    })),
    data: { fullname: 'Dayo', role: 'staff', email: `dayo@${domain}` },
  })
  expect(added.ok()).toBe(true)
  const token = (await stage.mailedLink(`dayo@${domain}`, 'usersetup')).split('#').at(-1)
  const set = await page.request.post('/app/api/v1/users/setup', { data: { token, password } })
  expect(set.ok(), await set.text()).toBe(true)
  await page.goto('/settings/security/sso')
  const last = step('4. Switch on')
  await last.getByLabel('Enforced').check()
  await last.getByRole('button', { name: 'Save' }).click()
  await last.getByText('Choose at least one Admin with a password.').waitFor()
  await last.getByLabel('Admin of Sign-on Ltd').check()
  await last.getByRole('button', { name: 'Save' }).click()
  await last.getByText('has no second factor yet').waitFor()
  recoveryCodes = await setCodesUp()
  await page.reload()
  await last.getByLabel('Enforced').check()
  await last.getByLabel('Admin of Sign-on Ltd').check()
  await last.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The Admins you chose keep their password.').waitFor()
  const dayo = await stage.page()
  await byPassword(dayo, `dayo@${domain}`)
  await dayo.getByText('Your company asks for single sign-on').waitFor()
  peer.people.set('dayo', { email: `dayo@${domain}`, email_verified: true, name: 'Dayo' })
  await dayo.getByRole('link', { name: 'Continue with single sign-on' }).click()
  await dayo.getByRole('heading', { name: 'Single sign-on' }).waitFor()
  await expect.poll(() => dayo.getByLabel('Mail address').inputValue()).toBe(`dayo@${domain}`)
  await dayo.getByRole('button', { name: 'Continue' }).click()
  await logInAtIssuer(dayo, 'dayo')
  await dayo.getByRole('button', { name: 'Accept' }).click()
  await dayo.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await dayo.context().close()
  const admin = await stage.page()
  await byPassword(admin, boss)
  await admin.getByRole('button', { name: 'Use a recovery code' }).click()
  await admin.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '')
  await admin.keyboard.press('Enter')
  await admin.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await admin.context().close()
})

test('a fresh proof is given in a window of its own', async () => {
  const ada = await stage.page()
  await toIssuer(ada, boss)
  await logInAtIssuer(ada, 'boss')
  await ada.getByRole('heading', { name: 'Dashboard' }).waitFor()
  const proof = await ada.context().newPage()
  const told = ada.evaluate(
    () =>
      new Promise((resolve) => {
        new BroadcastChannel('isotherm.sso-proof').onmessage = ({ data }) => resolve(data)
      }),
  )
  await proof.goto('/login/sso#proof')
  // The issuer asks again, though she is logged in there.
  await enterAtIssuer(proof, 'boss')
  expect(await told).toBe(true)
  await ada.context().close()
})

test('a company that asks for a second factor here as well is given one after the issuer', async () => {
  await page.goto('/settings/security/sso')
  const last = step('4. Switch on')
  await last.getByLabel('Ask for a second factor here as well').check()
  await last.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const ada = await stage.page()
  await toIssuer(ada, boss)
  await logInAtIssuer(ada, 'boss')
  await ada.getByRole('heading', { name: 'Second step' }).waitFor()
  await expect.poll(() => new URL(ada.url()).search).toBe('')
  await ada.getByRole('button', { name: 'Use a recovery code' }).click()
  await ada.getByLabel('Recovery code').fill(recoveryCodes[1] ?? '')
  await ada.keyboard.press('Enter')
  await ada.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await ada.context().close()
})
