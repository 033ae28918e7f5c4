import { api } from '@isotherm/contract/api.ts'
import { apiBase, type Calls } from '@isotherm/contract/call.ts'
import { expect, test } from 'vitest'
import { openapi } from './openapi.ts'

const document = openapi(api)
const calls = Object.entries(api as Record<string, Calls>).flatMap(([feature, rows]) =>
  Object.entries(rows).map(([name, call]) => ({ id: `${feature}.${name}`, call })),
)
type Operation = {
  operationId: string
  summary: string
  parameters: { name: string; in: string }[]
  requestBody?: object
}
const operationAt = (path: string, method: string) => document.paths[path]?.[method] as Operation | undefined

test.each(calls)('$id is in the document with its summary and every parameter', ({ id, call }) => {
  const path = `${apiBase}${call.path.replace(/:(\w+)/g, '{$1}')}`
  const operation = operationAt(path, call.method.toLowerCase())
  expect(operation).toMatchObject({ operationId: id, summary: expect.stringMatching(/\S{2}/) })
  const inPath = operation?.parameters.filter((each) => each.in === 'path').map((each) => `{${each.name}}`)
  expect(path.match(/\{\w+\}/g) ?? []).toEqual(inPath)
})

test('no two calls share a method and a path', () => {
  const places = calls.map(({ call }) => `${call.method} ${call.path.replace(/:\w+/g, ':')}`)
  expect(new Set(places).size).toBe(places.length)
})

test('what a reference names is there', () => {
  const text = JSON.stringify(document)
  const names = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1])
  expect(new Set(names)).toEqual(new Set(['#/components/schemas/Error']))
  expect(document.components.schemas.Error.required).toEqual(['success', 'code', 'message'])
})

test('the call of devices is there, with both ways to write a reading', () => {
  expect(operationAt(`${apiBase}/ingest/{imei}`, 'post')).toMatchObject({
    requestBody: { content: { 'application/json': {}, 'application/senml+json': {} } },
    security: [{ device: [] }],
  })
})

test('a body that is a list is described too', () => {
  expect(operationAt(`${apiBase}/groups/{id}/devices`, 'delete')?.requestBody).toMatchObject({
    content: { 'application/json': { schema: { type: 'array' } } },
  })
})

test('queries, bodies and their formats are described', () => {
  const list = operationAt(`${apiBase}/users`, 'get')
  expect(list?.parameters.map((each) => each.name)).toEqual(['page', 'perPage', 'search', 'sort', 'role'])
  const login = JSON.stringify(operationAt(`${apiBase}/auth/login`, 'post')?.requestBody)
  expect(login).toContain('"format":"email"')
  expect(operationAt(`${apiBase}/auth/logout`, 'post')?.requestBody).toBeUndefined()
})
