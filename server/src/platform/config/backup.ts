import { resolve } from 'node:path'
import { z } from 'zod'

const recipients = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .refine((list) => list.length <= 4 && list.every((each) => /^age1[02-9ac-hj-np-z]{58}$/.test(each)), {
    error: 'must be one to four public keys (age1...) that "backup keys" made, separated by commas',
  })

export const backupVariables = {
  BACKUP_DIR: z.string().optional(),
  BACKUP_RECIPIENTS: recipients.optional(),
}

type Data = z.output<z.ZodObject<typeof backupVariables>>

/** Where the log and base backups go all the time, and the public keys that they are encrypted to. */
export interface BackupConfig {
  dir: string
  recipients: string[]
}

export const faultsOfBackup = (
  data: Data & { DATABASE_URL?: string | undefined; FILES_S3_BUCKET?: string | undefined },
): string[] => {
  if (!data.BACKUP_DIR) return []
  return [
    ...(data.BACKUP_RECIPIENTS?.length
      ? []
      : ['BACKUP_RECIPIENTS must be set with BACKUP_DIR: nothing is stored that anybody can read']),
    ...(data.FILES_S3_BUCKET
      ? ['BACKUP_DIR must be unset with FILES_S3_BUCKET: the files of the bucket would not be in it']
      : []),
    ...(data.DATABASE_URL
      ? [
          'BACKUP_DIR must be unset with DATABASE_URL: use the point-in-time recovery of that PostgreSQL, or of its provider',
        ]
      : []),
  ]
}

export const backupOf = ({ BACKUP_DIR, BACKUP_RECIPIENTS }: Data): BackupConfig | null =>
  BACKUP_DIR && BACKUP_RECIPIENTS ? { dir: resolve(BACKUP_DIR), recipients: BACKUP_RECIPIENTS } : null
