import fastify from 'fastify'
import { expect, test } from 'vitest'
import { AppError, InvalidInput } from '../errors/app-error.ts'
import { mapErrors } from './error-mapping.ts'

async function answerTo(error: unknown, language = 'en') {
  const app = fastify()
  app.decorateRequest('locale', undefined)
  mapErrors(app)
  app.get('/', async () => {
    throw error
  })
  const answer = await app.inject({ url: '/', headers: { 'accept-language': language } })
  return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], body: answer.json() }
}
const coded = (code: string) => Object.assign(new Error('secret details'), { code })

test.each([
  ['40P01', 503, 'OVERLOADED'],
  ['57P01', 503, 'OVERLOADED'],
  ['ECONNREFUSED', 503, 'OVERLOADED'],
  ['57014', 503, 'OVERLOADED'],
  ['53100', 503, 'OVERLOADED'],
  ['53200', 503, 'OVERLOADED'],
  ['ENOSPC', 503, 'OVERLOADED'],
  ['EMFILE', 503, 'OVERLOADED'],
  ['22003', 404, 'NOT_FOUND'],
  ['23505', 500, 'INTERNAL'],
  ['FST_ERR_CTP_BODY_TOO_LARGE', 413, 'BODY_TOO_LARGE'],
])('%s becomes %i %s, without its details', async (code, status, expected) => {
  const answer = await answerTo(coded(code))
  expect(answer).toMatchObject({ status, body: { success: false, code: expected } })
  expect(JSON.stringify(answer.body)).not.toContain('secret')
})

test.each([
  'timeout exceeded when trying to connect',
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
])('a database that is away (%s) asks to try again', async (message) => {
  expect(await answerTo(new Error(message))).toMatchObject({ status: 503, retryAfter: '2' })
})

test('what is thrown and is no error is opaque too', async () => {
  expect(await answerTo(Object.assign(new Error('x'), { statusCode: 418 }))).toMatchObject({ status: 400 })
  expect(await answerTo(new TypeError('secret'))).toMatchObject({ status: 500, body: { code: 'INTERNAL' } })
})

test('a refusal carries its values, in the language asked for, with the time to wait', async () => {
  const { body, retryAfter } = await answerTo(new AppError('TOO_MANY_REQUESTS', { seconds: 7 }, 7), 'sw')
  expect(body.message).toContain('7')
  expect(body.message).not.toContain('Too many')
  expect(retryAfter).toBe('7')
})

test('a 422 names every field, also one called toString, and every failure of it', async () => {
  const wrong = (path: string, key: string) => ({ path, message: { key: `fields.${key}`, values: { limit: 3 } } })
  const problems = [
    wrong('toString', 'unknown'),
    wrong('name', 'required'),
    wrong('name', 'tooBigText'),
    wrong('', 'invalid'),
  ]
  const { status, body } = await answerTo(new InvalidInput(problems))
  expect(status).toBe(422)
  expect(body.fields).toEqual({
    toString: ['This field is not known here.'],
    name: ['This is needed.', 'At most 3 characters are allowed.'],
    '': ['This value is not valid.'],
  })
  expect(body.messages).toEqual([
    'toString: This field is not known here.',
    'Name: This is needed.',
    'Name: At most 3 characters are allowed.',
    'This value is not valid.',
  ])
})

test.each([
  ['en', 'Licence key: '],
  ['fr', 'Clé de licence\u00a0: '],
  ['es', 'Clave de licencia: '],
  ['sw', 'Ufunguo wa leseni: '],
])('in %s a field has the name a reader knows, in a list too', async (language, expected) => {
  const wrong = (path: string) => ({ path, message: { key: 'fields.required', values: {} } })
  const { body } = await answerTo(
    new InvalidInput([wrong('licenceKey'), wrong('rows.3.licenceKey'), wrong('$t(x)')]),
    language,
  )
  expect(body.messages[0]).toBe(`${expected}${body.fields.licenceKey[0]}`)
  expect(body.messages[1]).toBe(body.messages[0])
  expect(body.messages[2]).toContain('$t(x)')
  expect(Object.keys(body.fields)).toEqual(['licenceKey', 'rows.3.licenceKey', '$t(x)'])
})
