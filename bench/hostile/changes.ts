import type { Ready } from './ready.ts'

/** A change of a recorded request. */
export const changes = [
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
export type Change = (typeof changes)[number]

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

/** The request with the change made in it; `salt` picks which of its kind. */
export function changed(plain: Ready, change: Change, salt: number, nasty: unknown): Ready {
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
        headers: { 'content-type': 'application/json', ...plain.headers, 'transfer-encoding': 'chunked' },
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

/** Requests that are not proper HTTP; each is refused with an answer, or the connection is ended. */
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
