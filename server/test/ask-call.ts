import { expect } from 'vitest'
import { encoded } from './form.ts'
import { operationsOf } from './fuzz-requests.ts'
import type { TestApp } from './harness.ts'
import { resources } from './resources.ts'
import { idParams, isStream, type NamedCall, pathOf, sampleOf } from './samples.ts'

/** By method and path: the statuses that the OpenAPI document lists. */
export async function listedStatuses(test: TestApp): Promise<Map<string, number[]>> {
  const operations = operationsOf((await test.call('GET', '/openapi.json')).body)
  return new Map(operations.map(({ method, path, statuses }) => [`${method} ${path}`, statuses]))
}

/** Ids of the company's own for each id in the path; of things that are somebody's, those of a person. */
export async function ownIds(
  test: TestApp,
  { call, name }: NamedCall,
  companyId: number,
  userId?: string,
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  for (const { name: param, resource } of idParams(call)) {
    const make = resources[resource]
    if (!make) throw new Error(`${name}: server/test/resources.ts cannot make one of "${resource}"`)
    ids[param] = String((await make(test, { companyId, ...(userId && { userId }), ...(ids.id && { id: ids.id }) })).id)
  }
  return ids
}

interface Asking {
  token: string | undefined
  ids: Record<string, string>
  headers?: Record<string, string>
  /** Left out: a sample, which may have another mail address each time. */
  body?: object
  /** Where it comes from; left out: loopback. */
  address?: string
}

/** Sends a request whose input the contract accepts: its status and, where it was refused, the code. The document lists every status. */
export async function askCall(
  test: TestApp,
  listed: Map<string, number[]>,
  { call, name }: NamedCall,
  { token, ids, headers = {}, address, body = sampleOf(call.body, `${name} body`) as object }: Asking,
) {
  const query = sampleOf(call.query, `${name} query`) as Record<string, unknown>
  const { payload, type } = encoded(call, body)
  const isSent = call.method !== 'GET' && Object.keys(body).length > 0
  const answer = await test.app.inject({
    method: call.method,
    url: `/app/api/v1${pathOf(call, ids)}`,
    query: Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])),
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(isSent ? { 'content-type': type } : {}),
      ...headers,
    },
    ...(address ? { remoteAddress: address } : {}),
    ...(isSent ? { payload } : {}),
    ...(isStream(call) ? { payloadAsStream: true } : {}),
  })
  const status = answer.statusCode
  const documented = `${call.method} /app/api/v1${call.path.replace(/:(\w+)/g, '{$1}')}`
  expect(listed.get(documented), `${documented} answered ${status}`).toContain(status)
  const isOpen = isStream(call)
  if (isOpen) answer.stream().destroy()
  return {
    status,
    code: status < 400 || isOpen ? undefined : String(answer.json().code),
    isReplayed: answer.headers['idempotency-replayed'] === 'true',
    text: isOpen ? '' : answer.body,
  }
}
