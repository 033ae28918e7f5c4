import { type BucketData, bucketVariables, faultsOfBucket } from './bucket.ts'

export const fileStoreVariables = bucketVariables('FILES')

export const faultsOfFileStore = (data: BucketData<'FILES'>): string[] => [
  ...faultsOfBucket('FILES', data),
  ...(!data.FILES_S3_BUCKET && (data.FILES_S3_ENDPOINT || data.FILES_S3_ACCESS_KEY)
    ? ['FILES_S3_BUCKET must be set: else files stay in DATA_DIR']
    : []),
]
