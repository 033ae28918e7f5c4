import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { api } from '@isotherm/contract/api.ts'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { expect, onTestFinished, test } from 'vitest'
import { openapi } from './openapi.ts'
import { contractNames } from './openapi-names.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

async function generatedTypes(): Promise<string> {
  const document = openapi(api, await contractNames()) as unknown as OpenAPI3
  // What has a default may be left out of a request.
  return astToString(await openapiTS(document, { defaultNonNullable: false }))
}

/** What the compiler says of a program beside the generated types, line by line; empty where it compiles under `strict`. */
async function compile(program: string): Promise<string[]> {
  // Below the root, so that the compiler finds openapi-fetch.
  await mkdir(join(root, '.cache'), { recursive: true })
  const dir = await mkdtemp(join(root, '.cache/openapi-client-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  await writeFile(join(dir, 'isotherm.d.ts'), await generatedTypes())
  await writeFile(join(dir, 'client.ts'), program)
  const compilerOptions = {
    ...{ strict: true, noEmit: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    ...{ target: 'esnext', module: 'esnext', moduleResolution: 'bundler', lib: ['es2024', 'dom'], types: [] },
  }
  await writeFile(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))
  const child = spawn(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', dir, '--pretty', 'false'])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  await new Promise((done) => child.on('close', done))
  return output.split('\n').filter(Boolean)
}

const client = `
import createClient from 'openapi-fetch'
import type { components, paths } from './isotherm'
export const call = createClient<paths>({ baseUrl: 'https://cold.example', headers: { authorization: 'Bearer token' } })
`

test('a client that openapi-typescript generates compiles under strict, and knows what the document does not have', async () => {
  const told = await compile(`${client}
export async function use(): Promise<components['schemas']['Device'][]> {
  const alarm: components['schemas']['NewValueAlarm'] = {
    name: 'Too warm',
    rule: { kind: 'value', temperatureMaxC: 8 },
    recipients: [{ email: 'night@example.com' }],
  }
  const made = await call.POST('/app/api/v1/alarms/value', { body: alarm })
  if (made.error) throw new Error(\`\${made.error.code}: \${made.error.message}\`)
  const id: string = made.data.payload.id
  await call.PATCH('/app/api/v1/alarms/{id}/snooze', { params: { path: { id } }, body: { until: null } })
  const list = await call.GET('/app/api/v1/devices', { params: { query: { page: 1, perPage: 50 } } })
  // @ts-expect-error: no such path
  await call.GET('/app/api/v1/fridges', {})
  // @ts-expect-error: a field of the wrong type
  await call.POST('/app/api/v1/groups', { body: { name: 7 } })
  // @ts-expect-error: a field is missing
  await call.POST('/app/api/v1/auth/login', { body: { email: 'amina@example.com' } })
  // @ts-expect-error: no such field in the answer
  list.data?.payload.fridges
  return list.data?.payload.data ?? []
}`)
  expect(told).toEqual([])
})
