import type { S3Client } from '@aws-sdk/client-s3'
import type { Sdk } from './send-content.ts'

/** Gives up uploads in parts that killed processes left: those that were begun before an instant and got no part since. */
export async function endUploads(
  sdk: Sdk,
  client: S3Client,
  place: { Bucket: string; Prefix: string },
  before: Date,
): Promise<void> {
  const { Bucket } = place
  let markers: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {}
  for (let isMore = true; isMore; ) {
    const page = await client
      .send(new sdk.ListMultipartUploadsCommand({ ...place, ...markers }))
      .catch((error: Error) => {
        // Small services lack it.
        if (error.name === 'NotImplemented') return null
        throw error
      })
    for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
      if (!Initiated || Initiated >= before) continue
      const upload = { Bucket, Key, UploadId }
      if (await isGrowing(sdk, client, upload, before)) continue
      await client.send(new sdk.AbortMultipartUploadCommand(upload))
    }
    isMore = page?.IsTruncated === true
    markers = { KeyMarker: page?.NextKeyMarker, UploadIdMarker: page?.NextUploadIdMarker }
  }
}

async function isGrowing(
  sdk: Sdk,
  client: S3Client,
  upload: { Bucket: string; Key: string | undefined; UploadId: string | undefined },
  before: Date,
): Promise<boolean> {
  let PartNumberMarker: string | undefined
  for (let isMore = true; isMore; ) {
    const page = await client.send(new sdk.ListPartsCommand({ ...upload, PartNumberMarker }))
    if (page.Parts?.some(({ LastModified }) => LastModified && LastModified >= before)) return true
    isMore = page.IsTruncated === true
    PartNumberMarker = page.NextPartNumberMarker
  }
  return false
}
