import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { backupEnvironment, placeFrom } from './backup.ts'
import { loadConfig } from './config.ts'

const recipient = `age1${'q'.repeat(58)}`
const bucket = {
  ...{ BACKUP_S3_BUCKET: 'my-backup', BACKUP_S3_PREFIX: 'isotherm/', BACKUP_S3_ENDPOINT: 'http://minio:9000' },
  ...{ BACKUP_S3_PATH_STYLE: 'on', BACKUP_S3_ACCESS_KEY: 'id', BACKUP_S3_SECRET_KEY: 'secret' },
}
const access = {
  ...{ endpoint: 'http://minio:9000', region: 'us-east-1', pathStyle: true, answerMs: 30_000 },
  keys: { id: 'id', secret: 'secret' },
}

test('a backup goes to a folder or to a bucket, and a process of its own gets the same configuration', () => {
  const inFolder = loadConfig({ BACKUP_DIR: 'vault', BACKUP_RECIPIENTS: recipient }).backup
  expect(inFolder).toEqual({ place: resolve('vault'), recipients: [recipient] })
  const inBucket = loadConfig({ ...bucket, BACKUP_RECIPIENTS: recipient }).backup
  const place = { bucket: 'my-backup', prefix: 'isotherm/', ...access }
  expect(inBucket).toEqual({ place, recipients: [recipient] })
  for (const backup of [inFolder, inBucket])
    expect(backup && loadConfig(backupEnvironment(backup)).backup).toEqual(backup)
})

test.each([
  [{ ...bucket, BACKUP_RECIPIENTS: recipient, BACKUP_DIR: '/vault' }, 'BACKUP_DIR must be unset with BACKUP_S3_BUCKET'],
  [bucket, 'BACKUP_RECIPIENTS must be set with BACKUP_S3_BUCKET'],
  [{ BACKUP_DIR: '/vault' }, 'BACKUP_RECIPIENTS must be set with BACKUP_DIR'],
  [{ BACKUP_DIR: '/srv/data', DATA_DIR: '/srv/data/', BACKUP_RECIPIENTS: recipient }, 'BACKUP_DIR must be outside of'],
  [{ BACKUP_DIR: 'data/backup', BACKUP_RECIPIENTS: recipient }, 'BACKUP_DIR must be outside of DATA_DIR'],
  [{ ...bucket, BACKUP_RECIPIENTS: recipient, FILES_S3_BUCKET: 'files' }, 'BACKUP_S3_BUCKET must be unset with FILES'],
  [
    { ...bucket, BACKUP_RECIPIENTS: recipient, DATABASE_URL: 'postgres://a/b' },
    'BACKUP_S3_BUCKET must be unset with DATA',
  ],
  [{ BACKUP_S3_ACCESS_KEY: 'id' }, 'BACKUP_S3_ACCESS_KEY and BACKUP_S3_SECRET_KEY belong together'],
  [{ BACKUP_S3_BUCKET: 'No Bucket' }, 'BACKUP_S3_BUCKET must be the name of a bucket'],
])('%j is refused: %s', (env, words) => {
  expect(() => loadConfig(env)).toThrow(words)
})

test('a folder beside DATA_DIR with the same beginning is outside of it', () => {
  const env = { BACKUP_DIR: '/srv/data-backup', DATA_DIR: '/srv/data', BACKUP_RECIPIENTS: recipient }
  expect(loadConfig(env).backup?.place).toBe('/srv/data-backup')
})

test('--from names a folder or a bucket, which is reached as the variables say; without it the place of the configuration', () => {
  const { BACKUP_S3_BUCKET: _, BACKUP_S3_PREFIX: __, ...reached } = bucket
  const config = loadConfig(reached)
  expect(placeFrom(config, undefined)).toBeNull()
  expect(placeFrom(config, '/mnt/vault')).toBe('/mnt/vault')
  for (const from of ['s3://other/a/b', 's3://other/a/b/', 's3://other//a/b//'])
    expect(placeFrom(config, from)).toEqual({ bucket: 'other', prefix: 'a/b/', ...access })
  expect(placeFrom(config, 's3://other')).toEqual({ bucket: 'other', prefix: '', ...access })
  const { backup } = loadConfig({ ...bucket, BACKUP_RECIPIENTS: recipient })
  expect(placeFrom({ ...config, backup }, undefined)).toBe(backup?.place)
})
