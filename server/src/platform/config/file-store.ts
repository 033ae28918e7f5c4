import { z } from 'zod'
import { count, onOff } from './values.ts'

export const fileStoreVariables = {
  FILES_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: 'must be the name of a bucket' })
    .optional(),
  FILES_S3_PREFIX: z
    .string()
    .regex(/^([\w.-]+\/)*$/, { error: 'must be empty, or folders that end with a slash: isotherm/' })
    .default(''),
  FILES_S3_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be http://HOST:PORT or https://HOST' }).optional(),
  FILES_S3_REGION: z.string().default('us-east-1'),
  FILES_S3_PATH_STYLE: onOff.default(false),
  FILES_S3_TIMEOUT_S: count(1, 600).default(30),
  FILES_S3_ACCESS_KEY: z.string().optional(),
  FILES_S3_SECRET_KEY: z.string().optional(),
}

type Data = z.output<z.ZodObject<typeof fileStoreVariables>>

/** The bucket that keeps the files of people, reports and invoices. */
export interface FileStoreConfig {
  bucket: string
  /** Before each name; empty, or ends with a slash. */
  prefix: string
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

export const faultsOfFileStore = ({ FILES_S3_BUCKET, ...data }: Data): string[] => {
  const hasBoth = Boolean(data.FILES_S3_ACCESS_KEY) === Boolean(data.FILES_S3_SECRET_KEY)
  return [
    ...(hasBoth ? [] : ['FILES_S3_ACCESS_KEY and FILES_S3_SECRET_KEY belong together']),
    ...(!FILES_S3_BUCKET && (data.FILES_S3_ENDPOINT || data.FILES_S3_ACCESS_KEY)
      ? ['FILES_S3_BUCKET must be set: else files stay in DATA_DIR']
      : []),
  ]
}

export const fileStoreOf = (data: Data): FileStoreConfig | null =>
  data.FILES_S3_BUCKET
    ? {
        ...{ bucket: data.FILES_S3_BUCKET, prefix: data.FILES_S3_PREFIX, endpoint: data.FILES_S3_ENDPOINT },
        ...{ region: data.FILES_S3_REGION, pathStyle: data.FILES_S3_PATH_STYLE },
        answerMs: data.FILES_S3_TIMEOUT_S * 1_000,
        keys:
          data.FILES_S3_ACCESS_KEY && data.FILES_S3_SECRET_KEY
            ? { id: data.FILES_S3_ACCESS_KEY, secret: data.FILES_S3_SECRET_KEY }
            : null,
      }
    : null
