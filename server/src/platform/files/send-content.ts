import { createHash } from 'node:crypto'
import type { S3Client } from '@aws-sdk/client-s3'

export type Sdk = typeof import('@aws-sdk/client-s3')

/** Puts something in the bucket; counts it, and words what fails there. */
export type Put = <T>(work: (sdk: Sdk, client: S3Client) => Promise<T>, bytes?: number) => Promise<T>

interface SentContent {
  object: { Bucket: string; Key: string }
  content: AsyncIterable<Uint8Array>
  partBytes: number
  /** Its SHA-256 where that is known already; else only what fits into one part gets one. */
  sha256?: string | undefined
}

/** S3 takes no more. */
const MAX_PARTS = 10_000

/**
 * Sends content in one request, or in parts, so that what is large is not begun again for a lost one; what was sent is given up where something
 * fails for good. Returns its bytes.
 */
export async function sendContent(put: Put, { object, content, partBytes, sha256 }: SentContent): Promise<number> {
  let upload: { UploadId: string | undefined } | undefined
  const parts: { ETag: string | undefined; PartNumber: number }[] = []
  let total = 0
  try {
    for await (const { bytes, isLast } of inParts(content, partBytes)) {
      total += bytes.length
      if (isLast && !upload) {
        const Metadata = { sha256: sha256 ?? createHash('sha256').update(bytes).digest('hex') }
        await put(
          (sdk, client) => client.send(new sdk.PutObjectCommand({ ...object, Body: bytes, Metadata })),
          bytes.length,
        )
        return total
      }
      if (parts.length === MAX_PARTS) throw new Error(`it has more than ${MAX_PARTS * partBytes} bytes`)
      const whole = { ...object, ...(sha256 && { Metadata: { sha256 } }) }
      upload ??= await put(async (sdk, client) => {
        const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(whole))
        return { UploadId }
      })
      const part = { ...object, ...upload, PartNumber: parts.length + 1 }
      const { ETag } = await put(
        (sdk, client) => client.send(new sdk.UploadPartCommand({ ...part, Body: bytes })),
        bytes.length,
      )
      parts.push({ ETag, PartNumber: part.PartNumber })
    }
    const done = { ...object, UploadId: upload?.UploadId, MultipartUpload: { Parts: parts } }
    await put((sdk, client) => client.send(new sdk.CompleteMultipartUploadCommand(done)))
    return total
  } catch (error) {
    const begun = upload && { ...object, ...upload }
    if (begun) await put((sdk, client) => client.send(new sdk.AbortMultipartUploadCommand(begun))).catch(() => {})
    throw error
  }
}

/** Pieces of that size; the last one may be smaller, or empty. */
async function* inParts(
  content: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let pieces: Uint8Array[] = []
  let filled = 0
  for await (const chunk of content)
    for (let at = 0; at < chunk.length; ) {
      if (filled === partBytes) {
        yield { bytes: Buffer.concat(pieces), isLast: false }
        pieces = []
        filled = 0
      }
      const piece = chunk.subarray(at, at + partBytes - filled)
      pieces.push(piece)
      filled += piece.length
      at += piece.length
    }
  yield { bytes: Buffer.concat(pieces), isLast: true }
}
