import fc from 'fast-check'
import { type Draft, drafts, type Operation } from '../../server/test/fuzz-requests.ts'
import { anythingNasty, spoilt } from '../../server/test/fuzz-values.ts'
import { resources } from '../../server/test/resources.ts'
import type { Letter } from './canaries.ts'
import type { Request } from './client.ts'
import { type Step, scenario, type Who } from './scenario.ts'
import { filled, type Role, requestOf, type Side, valuesFor, type World } from './world.ts'

type Caller = Who | 'garbage' | 'odd' | 'ended'

/** One request as it is generated, before the ids of the scene it meets are known. */
export interface Plan {
  tenant: Letter
  /** Decides what is left open: which sort of id, which dead token. */
  salt: number
  draft?: Draft
  replay?: Replay
}

interface Replay {
  step: Step
  /** The body as a template, with or without something wrong in it. */
  body: string | undefined
  caller: Caller
  ids: 'own' | 'foreignInPath' | 'foreignInBody' | 'foreign'
  change: Change
  nasty: unknown
}

const changes = [
  ...([
    'none',
    'none',
    'none',
    'none',
    'method',
    'segment',
    'moreSegments',
    'slashes',
    'case',
    'query',
    'queryTwice',
  ] as const),
  ...([
    'header',
    'header',
    'type',
    'latin1',
    'utf16',
    'badUtf8',
    'gzipped',
    'chunked',
    'encoding',
    'raw',
    'large',
  ] as const),
]
type Change = (typeof changes)[number]

const callers: fc.Arbitrary<Caller> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('admin' as const, 'manager' as const, 'staff' as const) },
  { weight: 1, arbitrary: fc.constantFrom('nobody' as const, 'garbage' as const, 'ended' as const) },
)

function replayOf(step: Step): fc.Arbitrary<Replay> {
  const body = fc.constant(step.body)
  const isSent = step.body !== undefined
  return fc.record({
    step: fc.constant(step),
    body: isSent
      ? fc
          .oneof({ weight: 2, arbitrary: body }, { weight: 3, arbitrary: spoilt(body) })
          .map((value) => JSON.stringify(value) ?? '')
      : fc.constant(undefined),
    caller: step.who === 'device' ? fc.constant('device' as const) : fc.oneof(fc.constant<Caller>(step.who), callers),
    ids: fc.constantFrom(
      'own' as const,
      'own' as const,
      'foreignInPath' as const,
      'foreignInBody' as const,
      'foreign' as const,
    ),
    change: fc.constantFrom(...changes),
    nasty: anythingNasty,
  })
}

/** Requests: half made from the API's document, half from the recording, each with something changed or nothing. */
export function plans(operations: Operation[]): fc.Arbitrary<Plan> {
  const steps = scenario.filter((step) => !step.isOnce)
  const about = { tenant: fc.constantFrom('a' as const, 'b' as const), salt: fc.nat() }
  return fc.oneof(
    fc.record({ ...about, draft: drafts(operations) }),
    fc.record({ ...about, replay: fc.oneof(...steps.map(replayOf)) }),
  )
}

/** The requests of a chunk; the same seed and number give the same. */
export const chunkOf = (all: fc.Arbitrary<Plan>, seed: number, number: number, size: number): Plan[] =>
  fc.sample(all, { seed: (seed + number * 7_919) | 0, numRuns: size })

export interface Ready extends Request {
  caller: Caller
  side: Side
  /** Whether it may be answered without a session; true where that is not known. */
  isOpen: boolean
  /** Of what it was made, for the table of a failure. */
  origin: string
}

/** The request as it is sent to the scene of now. */
export function ready({ tenant, salt, draft, replay }: Plan, world: World): Ready {
  const side = world.sides[tenant]
  const other = world.sides[tenant === 'a' ? 'b' : 'a']
  if (draft) return ofDraft(draft, salt, side, other)
  if (replay) return ofReplay(replay, salt, side, other)
  throw new Error('a request of nothing')
}

/** What an id in the path stands for, by the segments before it: as server/test/samples.ts reads paths. */
function resourceAt(path: string, place: number): string {
  const segments = path
    .replace('/app/api/v1', '')
    .replace(/\{\w+\}/g, ':id')
    .split('/')
  const two = segments.slice(place - 2, place).join('/')
  return two in resources ? two : (segments[place - 1] ?? '')
}

function ofDraft(draft: Draft, salt: number, side: Side, other: Side): Ready {
  const { operation, params, query, body, language } = draft
  const caller: Caller = draft.caller === 'garbage' && salt % 2 === 0 ? 'ended' : draft.caller
  let next = 0
  const segments = operation.path.replace('/app/api/v1', '').split('/')
  const path = segments
    .map((segment, place) => {
      if (!/^\{\w+\}$/.test(segment)) return segment
      const given = params[next++] ?? ''
      const [whose, resource] = given.split(':')
      if (!resource) return given
      // Most often what such a path asks for: any other id is a 404 without a look inside.
      const name = salt % 4 === 0 ? resource : resourceAt(operation.path, place)
      return (whose === 'own' ? side : other).things[name] ?? side.things[resource] ?? given
    })
    .join('/')
  return {
    method: operation.method,
    path: `/app/api/v1${path}${query ? `?${query}` : ''}`,
    headers: {
      ...authorization(side, caller),
      'accept-language': language,
      ...(body?.type ? { 'content-type': body.type } : {}),
    },
    body: body?.text,
    ...{ caller, side, isOpen: operation.open, origin: `${operation.method} ${operation.path}` },
  }
}

function authorization(side: Side, caller: Caller): Record<string, string> {
  if (caller === 'nobody') return {}
  if (caller === 'odd') return { authorization: 'Bearer a b' }
  const token = caller === 'garbage' ? 'x'.repeat(43) : side.tokens[caller as Role | 'ended']
  return { authorization: `Bearer ${token}` }
}

/** Names whose values hold a canary, or prove who one is: never sent by the other tenant. */
const personal =
  /imei|code|licence|adminEmail|phone|hook|link|Key|password|^n$|^file$|Lat$|Lon$|C$|^from$|^to$|^tomorrow$|^t\d$/i

const withIdsOf = (own: Record<string, string>, other: Side) =>
  Object.fromEntries(
    Object.entries(own).map(([name, value]) => [name, personal.test(name) ? value : (other.values[name] ?? value)]),
  )

function ofReplay(replay: Replay, salt: number, side: Side, other: Side): Ready {
  const { step, caller, ids, change } = replay
  const own = valuesFor(side, caller)
  const foreign = withIdsOf(own, other)
  const isForeign = (part: Replay['ids']) => ids === 'foreign' || ids === part
  const template = requestOf(side, step, step.who === 'device' ? 'device' : 'nobody')
  const plain: Ready = {
    ...template,
    headers: { ...template.headers, ...(step.who === 'device' ? {} : authorization(side, caller)) },
    path: `/app/api/v1${filled(step.path, side.letter, isForeign('foreignInPath') ? foreign : own)}`,
    body: replay.body && filled(replay.body, side.letter, isForeign('foreignInBody') ? foreign : own),
    ...{
      caller,
      side,
      isOpen: step.who === 'nobody' || change !== 'none',
      origin: `${step.method} ${step.path} (recorded)`,
    },
  }
  // A device's request with the secret of another's.
  if (step.who === 'device' && ids !== 'own') plain.path = plain.path.replace(/\d{15}/, other.values.imei ?? '')
  return changed(plain, change, salt, replay.nasty)
}

const odd = [
  '%00',
  '%ff',
  '%zz',
  '..',
  '..%2f..',
  '__proto__',
  'constructor',
  '%F0%9F%92%A7',
  '9'.repeat(30),
  '1e3',
  'x'.repeat(301),
]
const oddHeaders: [string, string | string[]][] = [
  ['x-http-method-override', 'DELETE'],
  ['x-forwarded-for', '10.0.0.1, 127.0.0.1'],
  ['x-forwarded-host', 'evil.example'],
  ['host', 'evil.example'],
  ['origin', 'https://evil.example'],
  ['cookie', `session=${'x'.repeat(4_000)}`],
  ['range', 'bytes=0-1'],
  ['if-none-match', '*'],
  ['if-modified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['accept', 'application/xml;q=0.9, text/html'],
  ['accept-encoding', 'gzip, br, deflate'],
  ['accept-encoding', 'br;q=1e9, nonsense'],
  ['accept-language', `${'xx-YY,'.repeat(400)}fr`],
  ['last-event-id', '9'.repeat(40)],
  ['authorization', 'Basic YTpi'],
  ['authorization', `Bearer ${'y'.repeat(3_000)}`],
  ['x-request-id', '\u00e9\u00ff'],
  ['expect', '100-continue'],
  ['connection', 'close'],
  ['content-encoding', 'gzip'],
  ['content-type', 'application/json; charset=utf-7'],
  ['x-large', 'z'.repeat(20_000)],
  ['accept-language', ['fr', 'es', '*;q=NaN']],
]
const types = [
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/JSON',
  'nonsense',
  '',
  'application/json; charset=latin1',
]
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND', 'TRACE']
const queries = [
  'page=0',
  'page=1e9',
  'perPage=200&page=2',
  'search=%00',
  'sort=__proto__',
  'from=x',
  '%',
  '&&=&',
  'device[]=1',
  'imei=',
]

const pick = <T>(list: readonly T[], salt: number): T => list[salt % list.length] as T

function changed(plain: Ready, change: Change, salt: number, nasty: unknown): Ready {
  const [path = '', query = ''] = plain.path.split('?')
  const search = query && `?${query}`
  const segments = path.split('/')
  const place = 4 + (salt % Math.max(segments.length - 4, 1))
  const typed = (body: Buffer, more: Record<string, string> = {}) => ({
    ...plain,
    method: plain.method === 'GET' ? 'POST' : plain.method,
    headers: { 'content-type': 'application/json', ...plain.headers, ...more },
    body,
  })
  const text = String(plain.body ?? '{"name":"\u00e9"}')
  switch (change) {
    case 'method':
      return { ...plain, method: pick(methods, salt) }
    case 'segment':
      return {
        ...plain,
        path: segments.with(Math.min(place, segments.length - 1), pick(odd, salt >> 3)).join('/') + search,
      }
    case 'moreSegments':
      return { ...plain, path: `${path}/${pick(odd, salt)}${search}` }
    case 'slashes':
      return { ...plain, path: (salt % 2 ? path.replaceAll('/', '//') : `${path}/`) + search }
    case 'case':
      return { ...plain, path: path.toUpperCase() + search }
    case 'query':
      return { ...plain, path: `${path}?${query}&${pick(queries, salt)}` }
    case 'queryTwice':
      return {
        ...plain,
        path: `${path}?${query}&${query}&search=${encodeURIComponent((JSON.stringify(nasty) ?? '').toWellFormed()).slice(0, 4_000)}`,
      }
    case 'header': {
      const [name, value] = pick(oddHeaders, salt)
      return { ...plain, headers: { ...plain.headers, [name]: value } }
    }
    case 'type':
      return { ...plain, headers: { ...plain.headers, 'content-type': pick(types, salt) } }
    case 'latin1':
      return typed(Buffer.from(text, 'latin1'))
    case 'utf16':
      return typed(Buffer.from(text, 'utf16le'), { 'content-type': 'application/json; charset=utf-16' })
    case 'badUtf8':
      return typed(Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xc3, 0x28, 0xff, 0x22, 0x7d])]))
    case 'gzipped':
      return typed(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]), {
        'content-encoding': 'gzip',
      })
    case 'chunked':
      return {
        ...typed(Buffer.from(text)),
        headers: { ...plain.headers, 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      }
    case 'encoding':
      return {
        ...plain,
        headers: { ...plain.headers, 'accept-encoding': pick(['gzip', 'br', 'deflate', 'identity;q=0'], salt) },
      }
    case 'large':
      return salt % 20 === 0 ? typed(Buffer.from(JSON.stringify({ name: 'x'.repeat(1_100_000) }))) : plain
    case 'raw':
      return { ...plain, raw: rawOf(plain, salt) }
    default:
      return plain
  }
}

/** What is no proper HTTP; each is refused with an answer, or the connection is ended. */
function rawOf({ method, path, headers }: Ready, salt: number): string {
  const known = `host: x\r\nauthorization: ${headers.authorization ?? ''}\r\n`
  const list = [
    `${method} ${path} HTTP/1.1\r\n${known}content-length: abc\r\n\r\n`,
    `${method} ${path} HTTP/1.1\r\n${known}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${method} ${path} HTTP/1.1\r\n${known}transfer-encoding: chunked\r\n\r\nzz\r\n`,
    `${method} ${path} HTTP/9.9\r\n${known}\r\n`,
    `N\u00d6NE ${path} HTTP/1.1\r\n${known}\r\n`,
    `${method} ${path}\u0000 HTTP/1.1\r\n${known}\r\n`,
    `${method} ${path} x HTTP/1.1\r\n${known}\r\n`,
    `${method} ${path} HTTP/1.1\r\n${known}x-no-colon\r\n\r\n`,
    `${method} ${path} HTTP/1.1\r\n${known}x: a\u0000b\r\n\r\n`,
    `${method} ${path} HTTP/1.1\r\n${known}x: ${'h'.repeat(40_000)}\r\n\r\n`,
    `${method} http://evil.example${path} HTTP/1.1\r\n${known}connection: close\r\n\r\n`,
    `GET ${path} HTTP/1.1\r\nconnection: close\r\n\r\n`,
    `GET ${path} HTTP/1.1\r\n${known}host: y\r\nconnection: close\r\n\r\n`,
    `GET * HTTP/1.1\r\n${known}connection: close\r\n\r\n`,
    `CONNECT evil.example:443 HTTP/1.1\r\n${known}\r\n`,
    `GET ${path} HTTP/1.1\r\n${known}upgrade: websocket\r\nconnection: upgrade\r\n\r\n`,
  ]
  return pick(list, salt)
}
