// Parts of an OpenAPI document for tests.
export const ref = (name) => ({ $ref: `#/components/schemas/${name}` })
export const object = (required, properties, rest = {}) => ({ type: 'object', required, properties, ...rest })
export const json = (schema) => ({ content: { 'application/json': { schema } } })

/** A small document in the form of ours: a call to change a fridge and to list fridges, an event, and refusals. */
export function makeDocument() {
  const refusals = { 404: { $ref: '#/components/responses/NotFound' }, 422: { $ref: '#/components/responses/Invalid' } }
  return {
    paths: {
      '/fridges': {
        get: {
          operationId: 'fridgesList',
          parameters: [
            { name: 'page', in: 'query', required: false, schema: { type: 'integer', minimum: 1, default: 1 } },
            { name: 'sort', in: 'query', required: false, schema: { type: 'string', enum: ['name', 'age'] } },
          ],
          responses: { 200: json({ type: 'array', items: ref('Fridge') }), ...refusals },
          security: [{ session: [] }, { apiKey: [] }],
          'x-permission': 'devices.view',
        },
      },
      '/fridges/{id}': {
        patch: {
          operationId: 'fridgesChange',
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
            { $ref: '#/components/parameters/IdempotencyKey' },
          ],
          requestBody: { required: true, ...json(ref('FridgeChange')) },
          responses: { 200: json(ref('Fridge')), ...refusals },
          security: [{ session: [] }],
          'x-permission': 'devices.addOrEdit',
        },
      },
      '/open': {
        get: {
          operationId: 'openShow',
          responses: { 200: json({ type: 'string' }) },
          security: [],
          'x-permission': 'public',
        },
      },
    },
    webhooks: {
      'fridge.warm': {
        post: { requestBody: json(object(['type', 'data'], { type: { const: 'fridge.warm' }, data: ref('Fridge') })) },
      },
    },
    components: {
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          schema: { type: 'string', maxLength: 255 },
        },
      },
      schemas: {
        Fridge: object(['id', 'name', 'state', 'limits', 'events'], {
          id: { type: 'string' },
          name: { type: 'string' },
          tag: { type: ['string', 'null'] },
          state: { type: 'string', enum: ['cold', 'warm'] },
          since: { type: 'string', format: 'date-time' },
          limits: object(['max'], { max: { type: 'number' } }),
          events: { type: 'array', items: ref('Event') },
          inside: { type: 'array', items: ref('Fridge') },
        }),
        Event: {
          oneOf: [
            object(['kind', 'at'], { kind: { const: 'opened' }, at: { type: 'string' } }),
            object(['kind', 'note'], { kind: { const: 'noted' }, note: { type: 'string' } }),
          ],
        },
        FridgeChange: object(
          ['name'],
          {
            name: { type: 'string', minLength: 1, maxLength: 80, pattern: '^\\S' },
            tag: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            mode: { type: 'string', enum: ['eco', 'full'] },
            alarm: {
              oneOf: [
                object(['kind', 'max'], { kind: { const: 'value' }, max: { type: 'number' } }),
                object(['kind'], { kind: { const: 'silence' } }),
              ],
            },
            doors: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 9 }, maxItems: 4 },
            texts: {
              type: 'object',
              propertyNames: { type: 'string', maxLength: 5 },
              additionalProperties: { type: 'string' },
            },
          },
          { additionalProperties: false },
        ),
        Error: object(['code', 'message'], {
          code: { enum: ['NOT_FOUND', 'VALIDATION'] },
          message: { type: 'string' },
        }),
      },
    },
  }
}
