import { readFileSync } from 'node:fs'
import { z } from 'zod'

const schemes = ['nats:', 'tls:']

/** Each server of a list, the later ones with the scheme of the first where they have none. */
const serversOf = (text: string): URL[] | null => {
  const scheme = text.split('://')[0]
  const each = text.split(',').map((part) => (part.includes('://') ? part.trim() : `${scheme}://${part.trim()}`))
  if (!each.every((one) => URL.canParse(one))) return null
  const urls = each.map((one) => new URL(one))
  const isFine = ({ protocol, hostname }: URL) =>
    schemes.includes(protocol) && protocol === urls[0]?.protocol && hostname !== ''
  return urls.every(isFine) ? urls : null
}

export const natsVariables = {
  NATS_URL: z
    .string()
    .refine((text) => serversOf(text) !== null, {
      error: 'must be nats://HOST:PORT or tls://HOST:PORT, or several such with commas between',
    })
    .optional(),
  NATS_CREDS: z.string().optional(),
  NATS_TLS_CA: z.string().optional(),
  NATS_TLS_CERT: z.string().optional(),
  NATS_TLS_KEY: z.string().optional(),
}

type Data = z.output<z.ZodObject<typeof natsVariables>>

/** NATS servers that take live events from one node to another. */
export interface NatsConfig {
  /** Each `HOST:PORT`. */
  servers: string[]
  login: { user: string; pass: string } | { token: string } | { creds: Buffer } | null
  /** Whether nothing may travel without TLS. */
  isSecure: boolean
  /** PEM. Unset: the authorities that Node knows, and no certificate of our own. */
  tls: { ca?: string; cert?: string; key?: string }
}

export const faultsOfNats = (data: Data & { NODE_LISTEN?: string | undefined }): string[] => {
  const { NATS_URL, NATS_CREDS, NATS_TLS_CA, NATS_TLS_CERT, NATS_TLS_KEY } = data
  if (!NATS_URL) return []
  const isSecure = NATS_URL.startsWith('tls://')
  const files = { NATS_CREDS, NATS_TLS_CA, NATS_TLS_CERT, NATS_TLS_KEY }
  return [
    ...(data.NODE_LISTEN ? [] : ['NODE_LISTEN must be set with NATS_URL: one server alone has nobody to tell']),
    ...(isSecure || !(NATS_TLS_CA || NATS_TLS_CERT || NATS_TLS_KEY)
      ? []
      : ['NATS_URL must start with tls:// where NATS_TLS_CA, NATS_TLS_CERT or NATS_TLS_KEY is set']),
    ...(Boolean(NATS_TLS_CERT) === Boolean(NATS_TLS_KEY)
      ? []
      : ['NATS_TLS_CERT and NATS_TLS_KEY must be set together, each the name of a PEM file']),
    ...(NATS_CREDS && serversOf(NATS_URL)?.[0]?.username
      ? ['NATS_CREDS must be unset where NATS_URL holds a user or a token']
      : []),
    ...Object.entries(files).flatMap(([name, file]) =>
      file === undefined || contentOf(file) !== null ? [] : [`${name}: the file cannot be read`],
    ),
  ]
}

function contentOf(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch {
    return null
  }
}

export function natsOf(data: Data): NatsConfig | null {
  const servers = data.NATS_URL ? serversOf(data.NATS_URL) : null
  const first = servers?.[0]
  if (!servers || !first) return null
  const [user, pass] = [decodeURIComponent(first.username), decodeURIComponent(first.password)]
  const creds = data.NATS_CREDS ? contentOf(data.NATS_CREDS) : null
  const named = user === '' ? null : pass === '' ? { token: user } : { user, pass }
  const textOf = (file: string | undefined) => (file ? contentOf(file)?.toString('utf8') : undefined)
  const [ca, cert, key] = [data.NATS_TLS_CA, data.NATS_TLS_CERT, data.NATS_TLS_KEY].map(textOf)
  return {
    servers: servers.map(({ hostname, port }) => `${hostname}:${port || 4222}`),
    login: creds ? { creds } : named,
    isSecure: first.protocol === 'tls:',
    tls: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) },
  }
}
