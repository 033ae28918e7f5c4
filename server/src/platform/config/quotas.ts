import { z } from 'zod'
import { count } from './values.ts'

/** The most of something that a company may have: with a licence, and without one. */
export type Quota = { licensed: number; unlicensed: number }

/** The quotas of a company. `fileMb` is of attachments and kept reports together, in units of 1,000,000 bytes. */
export const quotaNames = [
  'places',
  'corners',
  'alarms',
  'groups',
  'records',
  'reports',
  'users',
  'fileMb',
  'shareLinks',
  'contacts',
  'drivers',
  'vehicles',
  'partners',
  'openOrders',
  'ordersPerDay',
  'orderTemplates',
  'openShipments',
  'shipmentsPerDay',
  'shipmentPlaces',
] as const
export type QuotaName = (typeof quotaNames)[number]

/** A bucket of calls: `burst` at once, then `perMinute`. */
export type Bucket = { burst: number; perMinute: number }
/** Buckets of one person, and of all people of a company together. */
export type Rate = { person: Bucket; company: Bucket }
export type RateName = 'writes' | 'exports'

const positive = (text: string) => /^[1-9]\d{0,8}$/.test(text)

/** "with a licence/without one", as in 500/50. */
const quota = z
  .string()
  .refine((text) => text.split('/').length === 2 && text.split('/').every(positive), {
    error: 'must be "with a licence/without a licence", as in 500/50',
  })
  .transform((text): Quota => {
    const [licensed = 0, unlicensed = 0] = text.split('/').map(Number)
    return { licensed, unlicensed }
  })

/** "burst/per minute" of a person, then of a company, as in 600/240/3000/1200. */
const rate = z
  .string()
  .refine((text) => text.split('/').length === 4 && text.split('/').every(positive), {
    error: 'must be "burst/calls per minute" of a person and of a company, as in 600/240/3000/1200',
  })
  .transform((text): Rate => {
    const [burst = 0, perMinute = 0, ofAll = 0, ofAllPerMinute = 0] = text.split('/').map(Number)
    return { person: { burst, perMinute }, company: { burst: ofAll, perMinute: ofAllPerMinute } }
  })

/** "5%" of the disk, or an amount such as 500MB or 2GB. */
const freeDisk = z
  .string()
  .regex(/^(\d{1,2}%|[1-9]\d{0,5}(MB|GB))$/, {
    error: 'must be a share of the disk such as 5%, or an amount such as 500MB',
  })
  .transform((text) => {
    const figure = Number.parseInt(text, 10)
    return text.endsWith('%')
      ? { share: figure / 100, bytes: 0 }
      : { share: 0, bytes: figure * (text.endsWith('GB') ? 1e9 : 1e6) }
  })

export const quotaVariables = {
  QUOTA_PLACES: quota.default({ licensed: 500, unlicensed: 50 }),
  QUOTA_CORNERS: quota.default({ licensed: 20_000, unlicensed: 1_000 }),
  QUOTA_ALARMS: quota.default({ licensed: 2_000, unlicensed: 50 }),
  QUOTA_GROUPS: quota.default({ licensed: 1_000, unlicensed: 50 }),
  QUOTA_RECORDS: quota.default({ licensed: 200_000, unlicensed: 100 }),
  QUOTA_REPORTS: quota.default({ licensed: 500, unlicensed: 20 }),
  QUOTA_USERS: quota.default({ licensed: 1_000, unlicensed: 20 }),
  QUOTA_FILE_MB: quota.default({ licensed: 20_000, unlicensed: 100 }),
  QUOTA_SHARE_LINKS: quota.default({ licensed: 500, unlicensed: 20 }),
  QUOTA_CONTACTS: quota.default({ licensed: 50_000, unlicensed: 500 }),
  QUOTA_DRIVERS: quota.default({ licensed: 10_000, unlicensed: 100 }),
  QUOTA_VEHICLES: quota.default({ licensed: 10_000, unlicensed: 100 }),
  QUOTA_PARTNERS: quota.default({ licensed: 5_000, unlicensed: 100 }),
  QUOTA_OPEN_ORDERS: quota.default({ licensed: 20_000, unlicensed: 200 }),
  QUOTA_ORDERS_PER_DAY: quota.default({ licensed: 20_000, unlicensed: 200 }),
  QUOTA_ORDER_TEMPLATES: quota.default({ licensed: 200, unlicensed: 20 }),
  QUOTA_OPEN_SHIPMENTS: quota.default({ licensed: 20_000, unlicensed: 200 }),
  QUOTA_SHIPMENTS_PER_DAY: quota.default({ licensed: 20_000, unlicensed: 200 }),
  QUOTA_SHIPMENT_PLACES: quota.default({ licensed: 5_000, unlicensed: 100 }),
  QUOTA_REJECTED_MB: count(1, 100_000).default(10),
  QUOTA_REJECTED_ROWS: count(1, 1_000_000).default(5_000),
  RATE_WRITES: rate.default({
    person: { burst: 600, perMinute: 240 },
    company: { burst: 3_000, perMinute: 1_200 },
  }),
  RATE_EXPORTS: rate.default({ person: { burst: 120, perMinute: 60 }, company: { burst: 600, perMinute: 300 } }),
  RATE_KEYS: rate.default({ person: { burst: 100, perMinute: 600 }, company: { burst: 500, perMinute: 3_000 } }),
  RATE_KEYS_HEAVY: rate.default({ person: { burst: 10, perMinute: 10 }, company: { burst: 50, perMinute: 50 } }),
  REPORTS_WAITING_PERSON: count(1, 1_000).default(3),
  REPORTS_WAITING_COMPANY: count(1, 10_000).default(10),
  STATEMENT_TIMEOUT_S: count(1, 3_600).default(30),
  MIN_FREE_DISK: freeDisk.default({ share: 0, bytes: 1e9 }),
  REGISTRATION: z.enum(['open', 'invite', 'off'], { error: 'must be open, invite or off' }).default('open'),
}

type Data = z.output<z.ZodObject<typeof quotaVariables>>

/** The figures that keep one company from taking what all share. */
export function quotasOf(data: Data) {
  return {
    quotas: {
      places: data.QUOTA_PLACES,
      corners: data.QUOTA_CORNERS,
      alarms: data.QUOTA_ALARMS,
      groups: data.QUOTA_GROUPS,
      records: data.QUOTA_RECORDS,
      reports: data.QUOTA_REPORTS,
      users: data.QUOTA_USERS,
      fileMb: data.QUOTA_FILE_MB,
      shareLinks: data.QUOTA_SHARE_LINKS,
      contacts: data.QUOTA_CONTACTS,
      drivers: data.QUOTA_DRIVERS,
      vehicles: data.QUOTA_VEHICLES,
      partners: data.QUOTA_PARTNERS,
      openOrders: data.QUOTA_OPEN_ORDERS,
      ordersPerDay: data.QUOTA_ORDERS_PER_DAY,
      orderTemplates: data.QUOTA_ORDER_TEMPLATES,
      openShipments: data.QUOTA_OPEN_SHIPMENTS,
      shipmentsPerDay: data.QUOTA_SHIPMENTS_PER_DAY,
      shipmentPlaces: data.QUOTA_SHIPMENT_PLACES,
    } satisfies Record<QuotaName, Quota>,
    /** Bytes and messages that are kept per device and day (UTC) of what cannot be stored. */
    rejectedPerDay: { bytes: data.QUOTA_REJECTED_MB * 1e6, rows: data.QUOTA_REJECTED_ROWS },
    callRates: { writes: data.RATE_WRITES, exports: data.RATE_EXPORTS } satisfies Record<RateName, Rate>,
    /** Buckets of one API key, and of all keys of a company together. */
    keyRates: { calls: data.RATE_KEYS, heavy: data.RATE_KEYS_HEAVY } satisfies Record<string, Rate>,
    /** Reports that were asked for by hand and are not built yet. */
    reportsWaiting: { person: data.REPORTS_WAITING_PERSON, company: data.REPORTS_WAITING_COMPANY },
    /** The longest that one statement of a person's call may take. */
    statementTimeoutMs: data.STATEMENT_TIMEOUT_S * 1_000,
    /** Uploads and reports are refused where less is free in DATA_DIR: the larger of a share and an amount. */
    minFreeDisk: data.MIN_FREE_DISK,
    /** Sign-up: open to anybody, to people whom the provider invites, or closed. */
    registration: data.REGISTRATION,
  }
}
