import { resolve, sep } from 'node:path'
import { z } from 'zod'
import {
  accessOf,
  type BucketAccess,
  type BucketConfig,
  type BucketData,
  bucketEnvironment,
  bucketOf,
  bucketVariables,
  faultsOfBucket,
} from './bucket.ts'

const recipients = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .refine((list) => list.length <= 4 && list.every((each) => /^age1[02-9ac-hj-np-z]{58}$/.test(each)), {
    error: 'must be one to four public keys (age1...) that "backup keys" made, separated by commas',
  })

export const backupVariables = {
  BACKUP_DIR: z.string().optional(),
  BACKUP_RECIPIENTS: recipients.optional(),
  ...bucketVariables('BACKUP'),
}

type Data = z.output<z.ZodObject<typeof backupVariables>> & BucketData<'BACKUP'>

/** A folder, absolute, or a bucket. */
export type BackupPlace = string | BucketConfig

/** Where the log and base backups go all the time, and the public keys that they are encrypted to. */
export interface BackupConfig {
  place: BackupPlace
  recipients: string[]
}

export const faultsOfBackup = (
  data: Data & { DATA_DIR: string; DATABASE_URL?: string | undefined; FILES_S3_BUCKET?: string | undefined },
): string[] => {
  const faults = faultsOfBucket('BACKUP', data)
  if (!data.BACKUP_DIR && !data.BACKUP_S3_BUCKET) return faults
  const name = data.BACKUP_DIR ? 'BACKUP_DIR' : 'BACKUP_S3_BUCKET'
  return [
    ...faults,
    ...(data.BACKUP_DIR && data.BACKUP_S3_BUCKET
      ? ['BACKUP_DIR must be unset with BACKUP_S3_BUCKET: a backup has one place']
      : []),
    ...(data.BACKUP_RECIPIENTS?.length
      ? []
      : [`BACKUP_RECIPIENTS must be set with ${name}: nothing is stored that anybody can read`]),
    ...(data.BACKUP_DIR && isWithin(data.BACKUP_DIR, data.DATA_DIR)
      ? ['BACKUP_DIR must be outside of DATA_DIR, which is what is backed up: choose a folder on another disk']
      : []),
    ...(data.FILES_S3_BUCKET
      ? [`${name} must be unset with FILES_S3_BUCKET: the files of that bucket would not be in it`]
      : []),
    ...(data.DATABASE_URL
      ? [
          `${name} must be unset with DATABASE_URL: use the point-in-time recovery of that PostgreSQL, or of its provider`,
        ]
      : []),
  ]
}

const isWithin = (path: string, folder: string): boolean =>
  `${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`)

export const backupOf = (data: Data) => {
  const place = data.BACKUP_DIR ? resolve(data.BACKUP_DIR) : bucketOf('BACKUP', data)
  const { BACKUP_RECIPIENTS } = data
  return {
    backup: place && BACKUP_RECIPIENTS ? ({ place, recipients: BACKUP_RECIPIENTS } satisfies BackupConfig) : null,
    /** How a bucket that a command names is reached. */
    backupAccess: accessOf('BACKUP', data),
  }
}

/** The place that `--from` names: a folder, or s3://BUCKET/PREFIX. Unset: that of the configuration; null: there is none. */
export function placeFrom(
  { backup, backupAccess }: { backup: BackupConfig | null; backupAccess: BucketAccess },
  from: string | undefined,
): BackupPlace | null {
  if (from === undefined) return backup?.place ?? null
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)\/*(.*?)\/*$/.exec(from) ?? []
  return bucket ? { bucket, prefix: prefix && `${prefix}/`, ...backupAccess } : from
}

/** The variables that a configuration was read from, for a process of its own. */
export const backupEnvironment = ({ place, recipients }: BackupConfig): Record<string, string | undefined> => ({
  ...(typeof place === 'string' ? { BACKUP_DIR: place } : bucketEnvironment('BACKUP', place)),
  BACKUP_RECIPIENTS: recipients.join(),
})
