import { resolve } from 'node:path'
import type { LimitName } from '@isotherm/contract/call.ts'
import type { MapType } from '@isotherm/contract/company.ts'
import { z } from 'zod'
import type { Scanner } from '../files/virus-scan.ts'
import { backupOf, backupVariables, faultsOfBackup } from './backup.ts'
import { billingOf, billingVariables } from './billing.ts'
import { bucketOf } from './bucket.ts'
import { clusterOf, clusterVariables, faultsOfCluster } from './cluster.ts'
import { databaseOf, databaseVariables, faultsOfDatabase } from './database.ts'
import { faultsOfFileStore, fileStoreVariables } from './file-store.ts'
import { faultsOfInsurer, insurerConfigOf, insurerVariables } from './insurers.ts'
import { messagingOf, messagingVariables, missingOfProviders } from './messaging.ts'
import { faultsOfMetrics, metricsOf, metricsVariables } from './metrics.ts'
import { faultsOfNats, natsOf, natsVariables } from './nats.ts'
import { cardProofOf, faultsOfPayments, paymentsOf, paymentVariables } from './payments.ts'
import { quotasOf, quotaVariables } from './quotas.ts'
import { tilePresets } from './tile-services.ts'
import {
  ceiling,
  count,
  duration,
  limit,
  notYet,
  onOff,
  port,
  portOrOff,
  proxies,
  question,
  template,
  url,
} from './values.ts'

/** Tries allowed per window and account (person, mail address) or client address. */
export type RateLimit = { perAccount: number; perAddress: number; windowS: number }

/** Failures allowed within a window, of one account and of a whole company. */
export type FailureRate = { perAccount: number; perCompany: number; windowS: number }

/** Raster tiles over the offline map; `url` holds {z}, {x} and {y}. Terrain tiles are elevations, in terrarium encoding. */
export type TileSource = { kind: z.infer<typeof MapType>; url: string; attribution: string }

export type Config = ReturnType<typeof loadConfig>

/** A configuration that cannot be started with; the message has a line for each variable that is wrong. */
export class ConfigError extends Error {
  constructor(lines: string[]) {
    super(`The configuration is wrong:\n${lines.map((line) => `  ${line}`).join('\n')}`)
  }
}

const TILE_KINDS = ['roadmap', 'satellite', 'terrain', 'hybrid'] as const satisfies TileSource['kind'][]

const Environment = z.object({
  PORT: port.default(8080),
  HOST: z.string().optional(),
  MQTT_HOST: z.string().optional(),
  TRUST_PROXY: proxies.optional(),
  PUBLIC_URL: url('http', 'https').optional(),
  DATA_DIR: z.string().default('./data'),
  ...databaseVariables,
  DATABASE_POOL: count(2, 500).default(12),
  MQTT_PORT: portOrOff.default(1883),
  MQTT_URL: notYet('the broker is the one built in'),
  SMTP_URL: url('smtp', 'smtps').optional(),
  MAIL_FROM: z.string().includes('@', { error: 'must be a mail address, or "Name <address>"' }).optional(),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+\S+)$/, {
      error: 'must begin with mailto:, https:// or tel:',
    })
    .optional(),
  ...metricsVariables,
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be one of fatal, error, warn, info, debug, trace, silent',
    })
    .default('info'),
  DEMO_PASSWORD: z.string().min(10, { error: 'must have at least 10 characters' }).optional(),
  OVERLOAD_DELAY_MS: count(0, 60_000).default(2_000),
  CHECK_ANSWERS: z
    .enum(['0', '1'], { error: 'must be 0 or 1' })
    .transform((value) => value === '1')
    .default(false),
  SESSION_IDLE: duration.default(7 * 86_400_000),
  SESSION_ABSOLUTE: duration.default(30 * 86_400_000),
  SESSION_ABSOLUTE_ADMIN: duration.default(12 * 3_600_000),
  RATE_LIMIT_LOGIN: limit.default({ perAccount: 10, perAddress: 60, windowS: 900 }),
  RATE_LIMIT_MAIL: limit.default({ perAccount: 5, perAddress: 30, windowS: 3600 }),
  RATE_LIMIT_INVITE: limit.default({ perAccount: 50, perAddress: 100, windowS: 3600 }),
  RATE_LIMIT_TOKEN: limit.default({ perAccount: 20, perAddress: 60, windowS: 900 }),
  RATE_LIMIT_PASSWORD: limit.default({ perAccount: 10, perAddress: 60, windowS: 900 }),
  RATE_LIMIT_SIGNATURE: limit.default({ perAccount: 100, perAddress: 300, windowS: 900 }),
  RATE_LIMIT_SHARE: limit.default({ perAccount: 1_200, perAddress: 600, windowS: 300 }),
  HTTP_CONNECTIONS: ceiling.default([10_000, 500]),
  MQTT_CONNECTIONS: ceiling.default([50_000, 200]),
  LIVE_STREAMS: ceiling.default([2_000, 60]),
  INGEST_REFUSALS: count(1, 1_000_000).default(600),
  INGEST_WAITING: count(100, 10_000_000).default(50_000),
  RATE_LIMIT_LICENCE: limit.default({ perAccount: 60, perAddress: 180, windowS: 900 }),
  RATE_LIMIT_MONEY: limit.default({ perAccount: 20, perAddress: 60, windowS: 3600 }),
  RATE_LIMIT_SUPPORT: limit.default({ perAccount: 10, perAddress: 60, windowS: 3600 }),
  RATE_LIMIT_REPLAY: limit.default({ perAccount: 10, perAddress: 60, windowS: 60 }),
  // A whole office comes in at eight, from one address.
  RATE_LIMIT_SSO: limit.default({ perAccount: 30, perAddress: 600, windowS: 900 }),
  RATE_LIMIT_SECOND_FACTOR: limit.default({ perAccount: 60, perAddress: 300, windowS: 900 }),
  RATE_LIMIT_TRACK: limit.default({ perAccount: 60, perAddress: 6_000, windowS: 900 }),
  RATE_LIMIT_CLAIM: limit.default({ perAccount: 20, perAddress: 60, windowS: 3600 }),
  RATE_LIMIT_ORDER_CODE: limit.default({ perAccount: 5, perAddress: 200, windowS: 900 }),
  CLAIM_CODES: onOff.default(true),
  PHONE_STRICT: onOff.default(true),
  INGEST_MAX_AGE_MONTHS: count(1, 600).default(24),
  INGEST_MAX_AHEAD_HOURS: count(0, 8760).default(24),
  REPORT_FILES_DAYS: count(1, 36_500).default(400),
  CLAMD_URL: url('tcp')
    .refine((text) => new URL(text).hostname !== '', { error: 'must be tcp://HOST:PORT' })
    .optional(),
  REJECTED_DAYS: count(1, 36_500).default(90),
  GEOCODER_URL: question.optional(),
  WEBHOOK_ALLOW_PRIVATE: z
    .enum(['0', '1'], { error: 'must be 0 or 1' })
    .transform((value) => value === '1')
    .default(false),
  ...messagingVariables,
  ...paymentVariables,
  ...quotaVariables,
  ...billingVariables,
  ...insurerVariables,
  ...clusterVariables,
  ...natsVariables,
  ...backupVariables,
  ...fileStoreVariables,
  TILES: tilePresets.default([]),
  TILES_ROADMAP: template.optional(),
  TILES_ROADMAP_ATTRIBUTION: z.string().default(''),
  TILES_SATELLITE: template.optional(),
  TILES_SATELLITE_ATTRIBUTION: z.string().default(''),
  TILES_TERRAIN: template.optional(),
  TILES_TERRAIN_ATTRIBUTION: z.string().default(''),
  TILES_HYBRID: template.optional(),
  TILES_HYBRID_ATTRIBUTION: z.string().default(''),
})

/** The names of all variables that are read. */
export const variables: readonly string[] = Object.keys(Environment.shape)

function scannerOf(text: string | undefined): Scanner | null {
  if (!text) return null
  const { hostname, port: number } = new URL(text)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(number || 3310) }
}

/** Reads the variables (an empty one counts as unset) or throws a ConfigError naming each that is wrong. */
export function loadConfig(env: Record<string, string | undefined>) {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const { data, error } = Environment.safeParse(set)
  if (error) throw new ConfigError(error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`))
  const publicUrl = (data.PUBLIC_URL ?? `http://localhost:${data.PORT}`).replace(/\/+$/, '')
  const missing = [
    ...missingOfProviders(data),
    ...faultsOfPayments(data, Object.keys(set), publicUrl),
    ...faultsOfInsurer(data),
    ...faultsOfCluster(data),
    ...faultsOfNats(data),
    ...faultsOfDatabase(data),
    ...faultsOfMetrics(data),
    ...faultsOfBackup(data),
    ...faultsOfFileStore(data),
  ]
  if (missing.length > 0) throw new ConfigError(missing)
  const mailFrom = data.MAIL_FROM ?? `Isotherm <isotherm@${new URL(publicUrl).hostname}>`
  return {
    port: data.PORT,
    /** Behind a proxy only this machine needs to reach the port. */
    host: data.HOST ?? (data.TRUST_PROXY === undefined ? '0.0.0.0' : '127.0.0.1'),
    mqttHost: data.MQTT_HOST ?? data.HOST ?? '0.0.0.0',
    trustProxy: data.TRUST_PROXY ?? false,
    publicUrl,
    /** Absolute. */
    dataDir: resolve(data.DATA_DIR),
    ...databaseOf(data),
    databasePool: data.DATABASE_POOL,
    /** Port of the embedded broker; null: none. */
    mqttPort: data.MQTT_PORT,
    smtpUrl: data.SMTP_URL,
    mailFrom,
    /** The contact for weaknesses that somebody found. */
    securityContact: data.SECURITY_CONTACT ?? `mailto:${mailFrom.replace(/^.*<|>.*$/g, '').trim()}`,
    ...metricsOf(data),
    logLevel: data.LOG_LEVEL,
    demoPassword: data.DEMO_PASSWORD,
    /** When the event loop runs this late, requests are answered 503 until it has caught up; 0: never. */
    overloadDelayMs: data.OVERLOAD_DELAY_MS,
    /** Validates our own answers against the contract: for tests and development. */
    checkAnswers: data.CHECK_ANSWERS,
    /** When sessions end: unused, and in all; those of Admins sooner. */
    sessions: {
      idleMs: data.SESSION_IDLE,
      absoluteMs: data.SESSION_ABSOLUTE,
      absoluteAdminMs: data.SESSION_ABSOLUTE_ADMIN,
    },
    rateLimits: {
      login: data.RATE_LIMIT_LOGIN,
      mail: data.RATE_LIMIT_MAIL,
      invite: data.RATE_LIMIT_INVITE,
      token: data.RATE_LIMIT_TOKEN,
      password: data.RATE_LIMIT_PASSWORD,
      signature: data.RATE_LIMIT_SIGNATURE,
      licence: data.RATE_LIMIT_LICENCE,
      share: data.RATE_LIMIT_SHARE,
      money: data.RATE_LIMIT_MONEY,
      support: data.RATE_LIMIT_SUPPORT,
      replay: data.RATE_LIMIT_REPLAY,
      sso: data.RATE_LIMIT_SSO,
      secondFactor: data.RATE_LIMIT_SECOND_FACTOR,
    } satisfies Record<LimitName, RateLimit>,
    /** Connections at once: in all, and from one address (of MQTT those that have not proved who they are). */
    connections: {
      http: { all: data.HTTP_CONNECTIONS[0], perAddress: data.HTTP_CONNECTIONS[1] },
      mqtt: { all: data.MQTT_CONNECTIONS[0], perAddress: data.MQTT_CONNECTIONS[1] },
    },
    /** Live streams at once. */
    liveStreams: { perCompany: data.LIVE_STREAMS[0], perPerson: data.LIVE_STREAMS[1] },
    /** Wrong secrets and unknown IMEIs of one address within a minute; more are not looked up. */
    ingestRefusals: data.INGEST_REFUSALS,
    /** Readings that may wait to be stored before devices are held back. */
    ingestWaiting: data.INGEST_WAITING,
    /** Whether hardware is claimed with the code on its label, or, false, by its IMEI alone. */
    claimCodes: data.CLAIM_CODES,
    /** Refused claims of hardware, per account, per company and window. */
    claimFailures: {
      perAccount: data.RATE_LIMIT_CLAIM.perAccount,
      perCompany: data.RATE_LIMIT_CLAIM.perAddress,
      windowS: data.RATE_LIMIT_CLAIM.windowS,
    } satisfies FailureRate,
    /** Wrong tracking codes, per account and order, per company and window. */
    orderCodeFailures: {
      perAccount: data.RATE_LIMIT_ORDER_CODE.perAccount,
      perCompany: data.RATE_LIMIT_ORDER_CODE.perAddress,
      windowS: data.RATE_LIMIT_ORDER_CODE.windowS,
    } satisfies FailureRate,
    /** Whether a phone number must be one that its country gives out, or, false, only as long as one. */
    phoneStrict: data.PHONE_STRICT,
    /** Tokens of order pages that lead nowhere, per address, in all and per window. */
    linkMisses: {
      perAccount: data.RATE_LIMIT_TRACK.perAccount,
      perCompany: data.RATE_LIMIT_TRACK.perAddress,
      windowS: data.RATE_LIMIT_TRACK.windowS,
    } satisfies FailureRate,
    ingest: { maxAgeMonths: data.INGEST_MAX_AGE_MONTHS, maxAheadHours: data.INGEST_MAX_AHEAD_HOURS },
    /** For how long issued reports' files, and what devices sent that could not be stored, are kept. */
    keep: { reportFilesDays: data.REPORT_FILES_DAYS, rejectedDays: data.REJECTED_DAYS },
    /** Scans files that people upload; null: nobody does. */
    clamd: scannerOf(data.CLAMD_URL),
    /** Asked for places that our own towns do not have; holds {q}. Unset: nobody is asked. */
    geocoderUrl: data.GEOCODER_URL,
    /** Whether webhooks may go to plain http and to machines of our own net. */
    webhookAllowPrivate: data.WEBHOOK_ALLOW_PRIVATE,
    /** The providers of SMS and chat messages; null: they are written to the mail folder. */
    messaging: messagingOf(data),
    /** The providers of payments; none is configured by default. */
    payments: paymentsOf(data),
    /** The money that a person may spend from saved cards on one day without a fresh proof. */
    cardProofAbove: cardProofOf(data),
    insurer: insurerConfigOf(data),
    ...quotasOf(data),
    ...billingOf(data),
    ...clusterOf(data),
    nats: natsOf(data),
    ...backupOf(data),
    fileStore: bucketOf('FILES', data),
    tileSources: TILE_KINDS.flatMap((kind): TileSource[] => {
      const name = kind.toUpperCase() as Uppercase<typeof kind>
      const source = data[`TILES_${name}`]
      if (source) return [{ kind, url: source, attribution: data[`TILES_${name}_ATTRIBUTION`] }]
      return data.TILES.filter((preset) => preset.kind === kind).slice(0, 1)
    }),
  }
}
