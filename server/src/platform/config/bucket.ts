import { z } from 'zod'
import { count, onOff } from './values.ts'

const shapes = {
  BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: 'must be the name of a bucket' })
    .optional(),
  PREFIX: z
    .string()
    .regex(/^([\w.-]+\/)*$/, { error: 'must be empty, or folders that end with a slash: isotherm/' })
    .default(''),
  ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be http://HOST:PORT or https://HOST' }).optional(),
  REGION: z.string().default('us-east-1'),
  PATH_STYLE: onOff.default(false),
  TIMEOUT_S: count(1, 600).default(30),
  ACCESS_KEY: z.string().optional(),
  SECRET_KEY: z.string().optional(),
}

type Shapes = typeof shapes
type Variables<Use extends string> = { [Key in keyof Shapes as `${Use}_S3_${Key}`]: Shapes[Key] }

/** The variables of a bucket that is for one use: FILES_S3_BUCKET, and so on. */
export const bucketVariables = <Use extends string>(use: Use): Variables<Use> =>
  Object.fromEntries(Object.entries(shapes).map(([key, shape]) => [`${use}_S3_${key}`, shape])) as Variables<Use>

/** How a service that speaks S3 is reached. */
export interface BucketAccess {
  /** Unset: Amazon's. */
  endpoint: string | undefined
  region: string
  /** Whether the bucket is named in the path instead of the host. */
  pathStyle: boolean
  /** The longest silence of the bucket within a try. */
  answerMs: number
  /** Null: as the machine has them (its role, or AWS_ACCESS_KEY_ID). */
  keys: { id: string; secret: string } | null
}

export interface BucketConfig extends BucketAccess {
  bucket: string
  /** Before each name; empty, or ends with a slash. */
  prefix: string
}

/** The variables as they were read. */
export type BucketData<Use extends string> = z.output<z.ZodObject<Variables<Use>>>

const reader =
  <Use extends string>(use: Use, data: BucketData<Use>) =>
  <Key extends keyof Shapes>(key: Key) =>
    (data as Record<string, unknown>)[`${use}_S3_${key}`] as z.output<Shapes[Key]>

export function accessOf<Use extends string>(use: Use, data: BucketData<Use>): BucketAccess {
  const read = reader(use, data)
  const [id, secret] = [read('ACCESS_KEY'), read('SECRET_KEY')]
  return {
    ...{ endpoint: read('ENDPOINT'), region: read('REGION'), pathStyle: read('PATH_STYLE') },
    answerMs: read('TIMEOUT_S') * 1_000,
    keys: id && secret ? { id, secret } : null,
  }
}

/** Null where no bucket is named. */
export function bucketOf<Use extends string>(use: Use, data: BucketData<Use>): BucketConfig | null {
  const read = reader(use, data)
  const bucket = read('BUCKET')
  return bucket ? { bucket, prefix: read('PREFIX'), ...accessOf(use, data) } : null
}

export function faultsOfBucket<Use extends string>(use: Use, data: BucketData<Use>): string[] {
  const read = reader(use, data)
  const hasBoth = Boolean(read('ACCESS_KEY')) === Boolean(read('SECRET_KEY'))
  return hasBoth ? [] : [`${use}_S3_ACCESS_KEY and ${use}_S3_SECRET_KEY belong together`]
}

/** The variables that a configuration was read from, for a process of its own. */
export const bucketEnvironment = (use: string, { bucket, prefix, keys, ...access }: BucketConfig) => ({
  [`${use}_S3_BUCKET`]: bucket,
  [`${use}_S3_PREFIX`]: prefix,
  [`${use}_S3_ENDPOINT`]: access.endpoint,
  [`${use}_S3_REGION`]: access.region,
  [`${use}_S3_PATH_STYLE`]: access.pathStyle ? 'on' : 'off',
  [`${use}_S3_TIMEOUT_S`]: String(access.answerMs / 1_000),
  [`${use}_S3_ACCESS_KEY`]: keys?.id,
  [`${use}_S3_SECRET_KEY`]: keys?.secret,
})
