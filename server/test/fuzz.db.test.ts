import { readFileSync } from 'node:fs'
import type { Locale } from '@isotherm/contract/common.ts'
import { type ErrorCode, errorStatus } from '@isotherm/contract/errors.ts'
import { permissions } from '@isotherm/contract/permissions.ts'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { localeFrom, localeNamed } from '../src/platform/i18n/i18n.ts'
import { describeApp } from './describe-app.ts'
import { buildCompany, buildUser, only, setMatrix } from './factories.ts'
import { type Draft, drafts, type Operation, operationsOf } from './fuzz-requests.ts'
import type { TestApp } from './harness.ts'
import { resources } from './resources.ts'

const requests = Number(process.env.FUZZ_REQUESTS ?? 10_000)
const seed = Number(process.env.FUZZ_SEED ?? 20_261_120)
const batch = 200
const atOnce = 100

let operations: Operation[]
/** Things of another company, which stay as they are: nobody who asks is let to them. */
const foreign: Record<string, string> = {}
const t = describeApp()
beforeAll(async () => {
  const other = await buildCompany(t)
  for (const [name, make] of Object.entries(resources)) foreign[`foreign:${name}`] = String((await make(t, other)).id)
  operations = operationsOf((await t.call('GET', '/openapi.json')).body)
  // Nobody may change the language in which the answers are expected.
  for (const { path, body } of operations) if (path.endsWith('/auth/user/profile')) delete body?.properties?.locale
})

/** People and their own things for the requests of one batch; new for each, because they change and remove them. */
async function world() {
  const company = await buildCompany(t)
  await setMatrix(t, company.companyId, 'manager', only(...permissions))
  const [admin, manager, staff] = [
    await buildUser(t, { company, locale: 'fr' }),
    await buildUser(t, { company, role: 'manager', locale: 'sw' }),
    await buildUser(t, { company, role: 'staff', locale: 'es' }),
  ]
  const ids = { ...foreign }
  for (const [name, make] of Object.entries(resources)) ids[`own:${name}`] = String((await make(t, company)).id)
  const authorization = {
    nobody: undefined,
    garbage: `Bearer ${'x'.repeat(43)}`,
    odd: 'Bearer a b',
    admin: `Bearer ${admin.token}`,
    manager: `Bearer ${manager.token}`,
    staff: `Bearer ${staff.token}`,
  }
  return { ids, authorization }
}
type World = Awaited<ReturnType<typeof world>>

const spoken: Partial<Record<Draft['caller'], Locale>> = { admin: 'fr', manager: 'sw', staff: 'es' }

async function send({ ids, authorization }: World, { operation, params, query, body, caller, language }: Draft) {
  let next = 0
  const path = operation.path.replace(/\{\w+\}/g, () => {
    const value = params[next++] ?? ''
    return ids[value] ?? value
  })
  const answer = await t.app.inject({
    method: operation.method,
    url: `${path}${query ? `?${query}` : ''}`,
    headers: {
      'accept-language': language,
      ...(authorization[caller] ? { authorization: authorization[caller] } : {}),
      ...(body?.type ? { 'content-type': body.type } : {}),
    },
    ...(body ? { payload: body.text } : {}),
    ...(operation.streams ? { payloadAsStream: true } : {}),
  })
  if (operation.streams && answer.statusCode === 200) {
    answer.stream().destroy()
    return undefined
  }
  return {
    status: answer.statusCode,
    type: String(answer.headers['content-type']),
    body: await text(answer, operation),
  }
}
type Sent = Awaited<ReturnType<TestApp['app']['inject']>>
async function text(answer: Sent, { streams }: Operation): Promise<string> {
  if (!streams) return answer.body
  const chunks: Buffer[] = []
  for await (const chunk of answer.stream()) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const codesIn = Object.fromEntries(
  (['en', 'fr', 'es', 'sw'] as const).map((locale) => [
    locale,
    JSON.parse(readFileSync(new URL(`../../contract/locales/${locale}/errors.json`, import.meta.url), 'utf8')).codes,
  ]),
) as Record<Locale, Record<string, string>>

function isIn(locale: Locale, code: string, message: string): boolean {
  const parts = (codesIn[locale][code] ?? '\u0000').split(/\{\{\w+\}\}/)
  const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')
  return new RegExp(`^${pattern}$`, 's').test(message)
}

const isBusy = (answer: Awaited<ReturnType<typeof send>>): boolean =>
  answer?.status === 503 && JSON.parse(answer.body).code === 'BUSY'

/** The fault of an answer, in words; undefined where there is none. */
function fault(draft: Draft, answer: NonNullable<Awaited<ReturnType<typeof send>>>): string | undefined {
  const { status, type, body } = answer
  if (status < 400) return status === 200 ? undefined : `status ${status}`
  if (!type.startsWith('application/json')) return `an error as ${type}`
  const error = JSON.parse(body)
  // The call of devices is served by the pipeline, which this app does not have.
  if (error.code !== 'ROUTE_NOT_FOUND' && !draft.operation.statuses.includes(status))
    return `status ${status}, which the document does not list`
  if (error.success !== false || errorStatus[error.code as ErrorCode] !== status)
    return `code ${error.code} as ${status}`
  if (status >= 500) return `${status} ${error.message}`
  const own = draft.operation.open
    ? undefined
    : spoken[draft.caller] && (localeNamed(draft.language) ?? spoken[draft.caller])
  const asked = localeFrom(draft.language)
  // The person is not known yet when a body cannot be read, nor when their session has ended meanwhile.
  const known = own && ['VALIDATION', 'FORBIDDEN', 'NOT_FOUND', 'NOT_YOURSELF', 'ADMIN_READ_ONLY'].includes(error.code)
  const languages = known ? [own] : own ? [own, asked] : [asked]
  if (!languages.some((locale) => isIn(locale, error.code, error.message)))
    return `not in ${languages}: ${error.message}`
  if (status !== 422) return undefined
  if (!Array.isArray(error.messages) || error.messages.length === 0) return 'a 422 without messages'
  const sentences = [...error.messages, ...Object.values(error.fields).flat()] as string[]
  const untranslated = sentences.find((sentence) => /fields\.\w|\{\{(?!name)/.test(sentence))
  return untranslated && `no text: ${untranslated}`
}

const described = ({ operation, ...rest }: Draft) =>
  `${operation.method} ${operation.path} ${JSON.stringify(rest).slice(0, 600)}`

test(`${requests} random requests: no 500, no hang, every refusal in shape and in the caller’s language`, async () => {
  const seen = new Map<number, number>()
  const faults: string[] = []
  const property = fc.asyncProperty(
    fc.array(drafts(operations), { minLength: batch, maxLength: batch }),
    async (list) => {
      const here = await world()
      const one = async (draft: Draft) => {
        let answer = await send(here, draft)
        // On a slow machine the calls of a batch wait too long for the share of their company, and ask again as they are told.
        for (let tries = 1; tries < 5 && isBusy(answer); tries++) answer = await send(here, draft)
        const status = answer?.status ?? 200
        seen.set(status, (seen.get(status) ?? 0) + 1)
        const found = answer && fault(draft, answer)
        if (found) faults.push(`${found} <- ${described(draft)}`)
      }
      for (let first = 0; first < list.length; first += atOnce)
        await Promise.all(list.slice(first, first + atOnce).map(one))
      return faults.length < 10
    },
  )
  await fc.assert(property, { numRuns: Math.ceil(requests / batch), seed, endOnFailure: true, reporter: () => {} })
  expect(faults).toEqual([])
  // A fuzz that only ever met closed doors would prove nothing.
  console.info('fuzz answers by status', Object.fromEntries([...seen].sort(([a], [b]) => a - b)))
  for (const status of [200, 400, 401, 403, 404, 413, 415, 422]) expect(seen.get(status) ?? 0).toBeGreaterThan(0)
  expect(seen.get(200)).toBeGreaterThan(requests / 20)
  // Nothing of it has broken the wall or the trail: the server still works.
  const user = await buildUser(t)
  expect((await t.call('GET', '/auth/profile', { token: user.token })).status).toBe(200)
}, 900_000)
