import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { z } from 'zod'
import { count } from './values.ts'

const error = 'must be HOST:PORT, as in 10.0.0.1:7400, where the other servers reach this one'
const address = z
  .string()
  .regex(/^(?:\[[\da-f:.]+\]|[\w.-]+):\d{1,5}$/i, { error })
  .refine((text) => parts(text).port < 65_536, { error })

export const clusterVariables = {
  LANES: count(1, 256).optional(),
  NODE_LISTEN: address.optional(),
  NODE_ADDRESS: address.optional(),
  NODE_NAME: z.string().max(60, { error: 'must have at most 60 characters' }).optional(),
  NODE_SECRET: z.string().min(32, { error: 'must have at least 32 characters' }).optional(),
  NODE_TLS_CERT: z.string().optional(),
  NODE_TLS_KEY: z.string().optional(),
  NODE_TLS_CA: z.string().optional(),
  DRAIN_SECONDS: count(0, 60).default(5),
}

type Data = z.output<z.ZodObject<typeof clusterVariables>>

/** The certificate of a server, that is also shown to the others, and the authority that signed those of all. PEM. */
export interface NodeTls {
  cert: Buffer
  key: Buffer
  ca: Buffer
}

/** How a server speaks with the other servers of its installation. */
export interface ClusterConfig {
  name: string
  listen: { host: string; port: number }
  /** Where the others reach it. */
  address: string
  secret: string
  tls: NodeTls | null
  /** How long a server that stops goes on answering, so that the balancer finds out. */
  drainMs: number
}

const parts = (text: string) => {
  const at = text.lastIndexOf(':')
  return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(text.slice(at + 1)) }
}

export const faultsOfCluster = (data: Data & { DATABASE_URL?: string | undefined }): string[] => {
  const { NODE_LISTEN, NODE_SECRET, NODE_TLS_CERT, NODE_TLS_KEY, NODE_TLS_CA } = data
  if (!NODE_LISTEN) return []
  const files = [NODE_TLS_CERT, NODE_TLS_KEY, NODE_TLS_CA].filter((file) => file !== undefined)
  return [
    ...(NODE_SECRET ? [] : ['NODE_SECRET must be set with NODE_LISTEN: the servers know each other by it']),
    ...(data.DATABASE_URL ? [] : ['DATABASE_URL must be set with NODE_LISTEN: the servers share one database']),
    ...(files.length % 3 === 0
      ? []
      : ['NODE_TLS_CERT, NODE_TLS_KEY and NODE_TLS_CA must be set together, each the name of a PEM file']),
    ...files.flatMap((file) =>
      isReadable(file) ? [] : [`NODE_TLS_CERT, NODE_TLS_KEY, NODE_TLS_CA: ${file} cannot be read`],
    ),
  ]
}

function isReadable(file: string): boolean {
  try {
    return readFileSync(file).length > 0
  } catch {
    return false
  }
}

export function clusterOf(data: Data): { cluster: ClusterConfig | null; lanes: number | null } {
  const { NODE_LISTEN, NODE_SECRET, NODE_TLS_CERT, NODE_TLS_KEY, NODE_TLS_CA } = data
  const lanes = data.LANES ?? null
  if (!NODE_LISTEN || !NODE_SECRET) return { cluster: null, lanes }
  const tls =
    NODE_TLS_CERT && NODE_TLS_KEY && NODE_TLS_CA
      ? { cert: readFileSync(NODE_TLS_CERT), key: readFileSync(NODE_TLS_KEY), ca: readFileSync(NODE_TLS_CA) }
      : null
  return {
    lanes,
    cluster: {
      name: data.NODE_NAME ?? hostname(),
      listen: parts(NODE_LISTEN),
      address: data.NODE_ADDRESS ?? NODE_LISTEN,
      secret: NODE_SECRET,
      tls,
      drainMs: data.DRAIN_SECONDS * 1_000,
    },
  }
}
