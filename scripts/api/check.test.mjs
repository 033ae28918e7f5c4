import { expect, test } from 'vitest'
import { checkApi, entriesOf } from './check.mjs'
import { describe, write } from './describe.mjs'
import { json, makeDocument, object, ref } from './example.mjs'

const unexplainedAfter = (change, entries = []) => {
  const changed = makeDocument()
  change(changed)
  const kept = { entries: 0, description: describe(makeDocument()) }
  return checkApi(kept, describe(changed), entries).unexplained
}
const list = (d) => d.paths['/fridges'].get
const change = (d) => d.paths['/fridges/{id}'].patch
const { Fridge, FridgeChange } = {
  Fridge: (d) => d.components.schemas.Fridge,
  FridgeChange: (d) => d.components.schemas.FridgeChange,
}
const answer = (operation) => operation.responses[200].content

test.each([
  ['a call is removed', (d) => delete d.paths['/fridges'], 'GET /fridges: is gone'],
  ['a call has another name', (d) => (list(d).operationId = 'all'), 'GET /fridges: is called all in clients now'],
  ['a call needs another permission', (d) => (list(d)['x-permission'] = 'admin'), 'GET /fridges: needs admin now'],
  ['keys may not call any more', (d) => list(d).security.pop(), 'GET /fridges: lets no apiKey in any more'],
  [
    'an open call asks who calls',
    (d) => (d.paths['/open'].get.security = [{ session: [] }]),
    'GET /open: is not open to anyone any more',
  ],
  ['a status is not answered', (d) => delete list(d).responses[404], 'GET /fridges: answers no 404 any more'],
  [
    'a code is removed',
    (d) => d.components.schemas.Error.properties.code.enum.pop(),
    'Error.code: VALIDATION is told no more',
  ],
  ['an event is removed', (d) => delete d.webhooks['fridge.warm'], 'webhook fridge.warm: is gone'],
  ['a parameter is removed', (d) => list(d).parameters.shift(), 'GET /fridges query.page: is taken no more'],
  [
    'a parameter must be given',
    (d) => (list(d).parameters[1].required = true),
    'GET /fridges query.sort: must be sent now',
  ],
  [
    'a default is another',
    (d) => (list(d).parameters[0].schema.default = 2),
    'GET /fridges query.page: is 2 where it is missing, and was 1',
  ],
  [
    'a number has a higher least',
    (d) => (list(d).parameters[0].schema.minimum = 2),
    'GET /fridges query.page: minimum is narrower now',
  ],
  [
    'a value of a parameter is removed',
    (d) => list(d).parameters[1].schema.enum.pop(),
    'GET /fridges query.sort: "age" is taken no more',
  ],
  [
    'a header is not taken',
    (d) => change(d).parameters.pop(),
    'PATCH /fridges/{id} header.Idempotency-Key: is taken no more',
  ],
  ['a call wants a body', (d) => (list(d).requestBody = change(d).requestBody), 'GET /fridges: wants a body now'],
  [
    'a body is of another kind',
    (d) => (change(d).requestBody.content = { 'text/csv': { schema: {} } }),
    'PATCH /fridges/{id}: takes no application/json any more',
  ],
  [
    'a field of a request is removed',
    (d) => delete FridgeChange(d).properties.tag,
    'request FridgeChange.tag: is taken no more',
  ],
  [
    'a field of a request must be sent',
    (d) => FridgeChange(d).required.push('tag'),
    'request FridgeChange.tag: must be sent now',
  ],
  [
    'a new field must be sent',
    (d) => {
      FridgeChange(d).properties.new = {}
      FridgeChange(d).required.push('new')
    },
    'request FridgeChange.new: must be sent now',
  ],
  [
    'a field of a request has another type',
    (d) => (FridgeChange(d).properties.name = { type: 'number' }),
    'request FridgeChange.name: is number now, and was string',
  ],
  [
    'a text must be shorter',
    (d) => (FridgeChange(d).properties.name.maxLength = 70),
    'request FridgeChange.name: maxLength is narrower now',
  ],
  [
    'a text must be longer',
    (d) => (FridgeChange(d).properties.name.minLength = 2),
    'request FridgeChange.name: minLength is narrower now',
  ],
  [
    'a text has another pattern',
    (d) => (FridgeChange(d).properties.name.pattern = '^a'),
    'request FridgeChange.name: pattern is narrower now',
  ],
  [
    'a text gets a format',
    (d) => (FridgeChange(d).properties.name.format = 'email'),
    'request FridgeChange.name: format is narrower now',
  ],
  [
    'null is refused',
    (d) => (FridgeChange(d).properties.tag = { type: 'string' }),
    'request FridgeChange.tag: null is taken no more',
  ],
  [
    'a value of a request is removed',
    (d) => FridgeChange(d).properties.mode.enum.shift(),
    'request FridgeChange.mode: "eco" is taken no more',
  ],
  [
    'a kind of a request is removed',
    (d) => FridgeChange(d).properties.alarm.oneOf.pop(),
    /^request FridgeChange\.alarm/,
  ],
  [
    'a field within a kind is removed',
    (d) => {
      FridgeChange(d).properties.alarm.oneOf[0] = object(
        ['kind'],
        { kind: { const: 'value' } },
        { additionalProperties: false },
      )
    },
    'request FridgeChange.alarm.max: is taken no more',
  ],
  [
    'what a list holds is narrower',
    (d) => (FridgeChange(d).properties.doors.items.maximum = 8),
    'request FridgeChange.doors[]: maximum is narrower now',
  ],
  [
    'a list is shorter',
    (d) => (FridgeChange(d).properties.doors.maxItems = 3),
    'request FridgeChange.doors: maxItems is narrower now',
  ],
  [
    'names of fields are shorter',
    (d) => (FridgeChange(d).properties.texts.propertyNames.maxLength = 4),
    'request FridgeChange.texts names: maxLength is narrower now',
  ],
  [
    'other fields are of another type',
    (d) => (FridgeChange(d).properties.texts.additionalProperties = { type: 'number' }),
    'request FridgeChange.texts.*: is number now, and was string',
  ],
  [
    'a field of an answer is removed',
    (d) => {
      delete Fridge(d).properties.name
      Fridge(d).required.splice(1, 1)
    },
    'answer Fridge.name: is answered no more',
  ],
  [
    'an optional field of an answer is removed',
    (d) => delete Fridge(d).properties.tag,
    'answer Fridge.tag: is answered no more',
  ],
  ['a field of an answer may be missing', (d) => Fridge(d).required.shift(), 'answer Fridge.id: may be missing now'],
  [
    'a field of an answer has another type',
    (d) => (Fridge(d).properties.id = { type: 'integer' }),
    'answer Fridge.id: is integer now, and was string',
  ],
  [
    'a number of an answer is not whole',
    (d) => (Fridge(d).properties.since.format = 'date'),
    'answer Fridge.since: format is another now',
  ],
  [
    'a field of an answer may be null',
    (d) => (Fridge(d).properties.name.type = ['string', 'null']),
    'answer Fridge.name: may be null now',
  ],
  [
    'a list of values is any text',
    (d) => delete Fridge(d).properties.state.enum,
    'answer Fridge.state: is string now, and was one of a list of values',
  ],
  [
    'a field within a field is removed',
    (d) => (Fridge(d).properties.limits = object([], {})),
    'answer Fridge.limits.max: is answered no more',
  ],
  [
    'an answer is no list any more',
    (d) => (answer(list(d))['application/json'].schema = ref('Fridge')),
    'GET /fridges answer: is Fridge now, and was a list',
  ],
  [
    'an answer is of another kind',
    (d) => (list(d).responses[200].content = { 'text/csv': { schema: {} } }),
    'GET /fridges: answers no application/json any more',
  ],
  [
    'a field within a kind may be missing',
    (d) => d.components.schemas.Event.oneOf[1].required.pop(),
    'answer Fridge.events[].note: may be missing now',
  ],
  [
    'a field of an event has another type',
    (d) => (d.webhooks['fridge.warm'].post.requestBody = json({ type: 'string' })),
    'webhook fridge.warm sends: is string now, and was an object',
  ],
])('refused: %s', (_, mutate, fault) => {
  const faults = unexplainedAfter(mutate)
  expect(faults).toContainEqual(fault instanceof RegExp ? expect.stringMatching(fault) : fault)
  // The reason in the table lets exactly that pass.
  const entries = faults.map((each) => ({ date: '2026-11-28', change: each, reason: 'A reason that says why.' }))
  expect(unexplainedAfter(mutate, entries)).toEqual([])
  expect(unexplainedAfter(mutate, entries.slice(1))).toEqual(faults.slice(0, 1))
})

test.each([
  ['nothing', () => {}],
  ['a call', (d) => (d.paths['/vans'] = d.paths['/fridges'])],
  ['an event', (d) => (d.webhooks['fridge.cold'] = d.webhooks['fridge.warm'])],
  ['an optional parameter', (d) => list(d).parameters.push({ name: 'a', in: 'query', required: false, schema: {} })],
  ['a status', (d) => (list(d).responses[429] = {})],
  ['a code', (d) => d.components.schemas.Error.properties.code.enum.push('NEW')],
  ['a way in', (d) => change(d).security.push({ apiKey: [] })],
  ['a call that becomes open to anyone', (d) => (list(d).security = [])],
  ['an optional field of a request', (d) => (FridgeChange(d).properties.more = { type: 'string' })],
  ['a field of a request that may be left out', (d) => FridgeChange(d).required.pop()],
  ['a value of a request', (d) => FridgeChange(d).properties.mode.enum.push('off')],
  [
    'a kind of a request',
    (d) => FridgeChange(d).properties.alarm.oneOf.push(object(['kind'], { kind: { const: 'new' } })),
  ],
  ['wider bounds', (d) => Object.assign(FridgeChange(d).properties.name, { minLength: 0, maxLength: 90 })],
  ['a request without a pattern', (d) => delete FridgeChange(d).properties.name.pattern],
  ['null in a request', (d) => (FridgeChange(d).properties.name = { anyOf: [{ type: 'string' }, { type: 'null' }] })],
  ['a field of an answer', (d) => (Fridge(d).properties.more = { type: 'string' })],
  ['a field that is always answered now', (d) => Fridge(d).required.push('tag')],
  ['an answer that is never null', (d) => (Fridge(d).properties.tag = { type: 'string' })],
  ['a value of an answer', (d) => Fridge(d).properties.state.enum.push('off')],
  ['a kind in an answer', (d) => d.components.schemas.Event.oneOf.push(object(['kind'], { kind: { const: 'new' } }))],
  ['a whole number where any number was', (d) => (Fridge(d).properties.limits.properties.max.type = 'integer')],
  ['texts and examples', (d) => Object.assign(Fridge(d), { description: 'Cold', examples: [{}] })],
  [
    'another name of a type',
    (d) => {
      d.components.schemas.Icebox = Fridge(d)
      answer(change(d))['application/json'].schema = ref('Icebox')
    },
  ],
])('passes: %s', (_, mutate) => {
  expect(unexplainedAfter(mutate)).toEqual([])
})

test('a type that is sent and answered is judged as both', () => {
  const both = (d) => (change(d).requestBody = json(ref('Fridge')))
  const before = makeDocument()
  both(before)
  const after = structuredClone(before)
  Fridge(after).properties.state.enum = ['cold', 'off']
  const { unexplained } = checkApi({ entries: 0, description: describe(before) }, describe(after), [])
  expect(unexplained).toEqual(['request Fridge.state: "warm" is taken no more'])
})

test('an entry that was there when the file was renewed explains nothing new', () => {
  const entries = [{ date: '2026-11-28', change: 'GET /fridges: is gone', reason: 'A reason that says why.' }]
  const changed = makeDocument()
  delete changed.paths['/fridges']
  const check = (count) =>
    checkApi({ entries: count, description: describe(makeDocument()) }, describe(changed), entries)
  expect(check(0)).toEqual({ unexplained: [], wrong: [] })
  expect(check(1).unexplained).toEqual(['GET /fridges: is gone'])
})

test.each([
  ['| yesterday | `GET /fridges: is gone` | A reason that says why. |', [/needs a date/]],
  ['| 2026-13-28 | `GET /fridges: is gone` | A reason that says why. |', [/needs a date/]],
  ['| 2026-11-28 | `GET /fridges: is gone` | |', [/needs a date .* and a reason/]],
  ['| 2026-11-28 | `GET /vans: is gone` | A reason that says why. |', [/is no change that breaks a client/]],
])('a wrong entry is named: %s', (row, faults) => {
  const changed = makeDocument()
  delete changed.paths['/fridges']
  const kept = { entries: 0, description: describe(makeDocument()) }
  const { wrong } = checkApi(kept, describe(changed), entriesOf(`| date | change | reason |\n|---|---|---|\n${row}\n`))
  expect(wrong).toEqual(faults.map((fault) => expect.stringMatching(fault)))
})

test('rows of the table are read as they are written', () => {
  expect(entriesOf('| 2026-11-28 | `request A.b: "c" is taken no more` | Nobody sent c. |\n')).toEqual([
    { date: '2026-11-28', change: 'request A.b: "c" is taken no more', reason: 'Nobody sent c.' },
  ])
})

test('what is written is read back alike, a line for each field', () => {
  const text = write(describe(makeDocument()))
  expect(JSON.parse(text)).toEqual(describe(makeDocument()))
  expect(text.split('\n')).toContain('  "tag?": ["string","null"],')
})

test('a keyword that nobody thought of is refused, because it may narrow something', () => {
  const unknown = makeDocument()
  Fridge(unknown).properties.name.minProperties = 1
  expect(() => describe(unknown)).toThrow('minProperties')
})
