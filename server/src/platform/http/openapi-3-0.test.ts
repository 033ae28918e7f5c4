import { expect, test } from 'vitest'
import { toOpenapi30 } from './openapi-3-0.ts'

const convert = (schema: object) =>
  (toOpenapi30({ components: { schemas: { A: schema } } }) as { components: { schemas: { A: object } } }).components
    .schemas.A

test.each([
  [{ type: ['string', 'null'] }, { type: 'string', nullable: true }],
  [{ type: ['string', 'number'] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
  [
    { anyOf: [{ $ref: '#/x' }, { type: 'null' }] },
    { anyOf: [{ $ref: '#/x' }, { type: 'object', nullable: true, enum: [null] }] },
  ],
  [{ const: 'a' }, { enum: ['a'] }],
  [{ examples: [{ type: ['a'] }] }, { example: { type: ['a'] } }],
  [{ exclusiveMinimum: 0 }, { minimum: 0, exclusiveMinimum: true }],
  [
    { $ref: '#/x', description: 'b' },
    { description: 'b', allOf: [{ $ref: '#/x' }] },
  ],
  // Names of fields are no keywords.
  [{ properties: { const: { type: 'string' } } }, { properties: { const: { type: 'string' } } }],
])('%o is said as 3.0 says it', (schema, said) => {
  expect(convert(schema)).toEqual(said)
})

test('webhooks move to x-webhooks', () => {
  expect(toOpenapi30({ openapi: '3.1.0', webhooks: { a: {} } })).toEqual({ openapi: '3.0.3', 'x-webhooks': { a: {} } })
})
