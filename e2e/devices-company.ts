import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LoggedIn } from '@isotherm/contract/auth.ts'
import type { APIRequestContext, APIResponse, Page } from 'playwright-core'
import { provider as runCommand } from '../server/src/commands/provider/provider.ts'
import { loadConfig } from '../server/src/platform/config/config.ts'
import { createPool } from '../server/src/platform/db/pool.ts'
import type { Stage } from './stage.ts'

export const password = 'cold-river-stone-42'

/**
 * The provider's desk, on the stage's database. Returns what it prints. Within this process: one of its own for each command would begin with
 * reading the server. As processes the commands run in scripts/asvs.
 */
export async function provider(stage: Stage, ...args: string[]): Promise<string> {
  const { dataDir, publicUrl } = loadConfig({ ...process.env, ...stage.operatorEnv })
  const printed: string[] = []
  const complaints: string[] = []
  const pool = createPool(stage.databaseUrl, 2, (error) => complaints.push(error.message))
  try {
    const tools = { pool, dataDir, publicUrl, out: (line: string) => void printed.push(line) }
    const code = await runCommand(args, { ...tools, warn: (line) => void complaints.push(line) })
    if (code !== 0) throw new Error(`provider ${args.join(' ')} ended with ${code}: ${complaints.join('\n')}`)
  } finally {
    await pool.end()
  }
  return printed.map((line) => `${line}\n`).join('')
}

interface Stock {
  secrets: Map<string, string>
  /** On the labels, as they are printed. */
  codes: Map<string, string>
  key: string
}

/** Hardware in stock with a secret and a code each, and a licence key for all of it. */
export async function stockUp(stage: Stage, imeis: string[]): Promise<Stock> {
  const secrets = new Map(imeis.map((imei) => [imei, randomBytes(24).toString('base64url')]))
  const file = join(stage.dataDir, 'hardware.csv')
  await writeFile(file, ['imei,type,secret', ...imeis.map((imei) => `${imei},logger,${secrets.get(imei)}`)].join('\n'))
  const [, ...made] = (await provider(stage, 'devices', 'import', file)).trim().split('\n')
  const codes = new Map(made.map((line) => [line.slice(0, 15), line.split(',').at(-1) ?? '']))
  const issued = await provider(stage, 'licences', 'issue', '--devices', String(imeis.length), '--months', '12')
  const key = issued.trim().split('\n').at(-1)?.trim()
  if (!key) throw new Error(`no key in: ${issued}`)
  return { secrets, codes, key }
}

/** A company with its verified Admin. */
export async function foundCompany(stage: Stage, request: APIRequestContext, companyName: string, email: string) {
  const data = { companyName, fullname: `Admin of ${companyName}`, email, password, timezone: 'Africa/Lagos' }
  await taken(request.post('/app/api/v1/auth/register', { data }))
  const token = (await stage.mailedLink(email, 'verify')).split('#').at(-1)
  await taken(request.post('/app/api/v1/auth/verify', { data: { token } }))
  // The one-time company profile, which the first login of its Admin would ask for.
  const headers = bearer(await login(request, email))
  await taken(request.patch('/app/api/v1/auth/company/profile', { headers, data: { country: 'NG' } }))
}

/** The answer to what a test needs to go on; it throws where the server refuses that. */
export async function taken(asked: Promise<APIResponse>): Promise<APIResponse> {
  const answer = await asked
  if (!answer.ok()) throw new Error(`${answer.url()} answered ${answer.status()}: ${await answer.text()}`)
  return answer
}

async function login(request: APIRequestContext, email: string, word = password): Promise<LoggedIn> {
  const answer = await taken(request.post('/app/api/v1/auth/login', { data: { email, password: word } }))
  return ((await answer.json()) as { payload: LoggedIn }).payload
}

const bearer = ({ tokens }: LoggedIn): Record<string, string> => ({ authorization: `Bearer ${tokens.accessToken}` })

/**
 * Logs in by the API, accepts the terms and stores the session in the page's browser profile as the app does. The page
 * shows no screen yet. The login screen itself has its tests in access-guards and access-links.
 */
export async function logIn(page: Page, email: string, word = password): Promise<Record<string, string>> {
  const answer = await login(page.request, email, word)
  const headers = bearer(answer)
  await taken(page.request.patch('/app/api/v1/auth/updateTerms', { headers, data: { termsAndConditions: true } }))
  const { role, locale, loginCount, timezone, roleModulePermissions } = answer.user
  const token = answer.tokens.accessToken
  const session = { token, role, locale, loginCount, showTerms: false, timezone, roleModulePermissions }
  // Any file of the same origin will do to reach its storage.
  await page.goto('/worker.js')
  await page.evaluate((text) => localStorage.setItem('isotherm.session', text), JSON.stringify(session))
  return headers
}

/** Sends readings as a device; resolves with the ingest call's answer. */
export async function measure(page: Page, imei: string, secret: string, reading: Record<string, unknown>) {
  const answer = await taken(
    page.request.post(`/app/api/v1/ingest/${imei}`, {
      headers: { authorization: `Bearer ${secret}` },
      data: { at: new Date().toISOString(), ...reading },
    }),
  )
  return answer.json()
}
