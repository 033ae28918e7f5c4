import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import type { FileStoreConfig } from '../config/file-store.ts'
import { AppError } from '../errors/app-error.ts'

/** Objects in a bucket that speaks S3. What does not answer throws FILES_UNREACHABLE (503). */
export interface ObjectStore {
  /** Puts the file at `path`; it is there, whole, once this resolves. */
  put(name: string, path: string): Promise<void>
  /** The content; undefined where there is none. The stream fails at its end where it is not what was put. */
  get(name: string): Promise<Readable | undefined>
  /** Removes an object; one that is gone already is no fault. */
  remove(name: string): Promise<void>
  /** Why the bucket did not answer when it was asked last; null: it did. */
  fault(): string | null
  /** Names and sizes of all objects, by pages. */
  list(): AsyncGenerator<{ name: string; bytes: number }[]>
}

/** So much of a file is in memory at once, so that it can be sent again. */
const PART_BYTES = 8 * 2 ** 20
const connectMs = 3_000
const tries = 3

const stores = new Map<string, ObjectStore>()

/** The store of a configuration: one for the process, as its connections are. The SDK is loaded with its first use. */
export function objectStore(config: FileStoreConfig): ObjectStore {
  const key = JSON.stringify(config)
  const known = stores.get(key)
  if (known) return known
  const made = makeStore(config)
  stores.set(key, made)
  return made
}

type Sdk = typeof import('@aws-sdk/client-s3')

function makeStore({
  bucket: Bucket,
  prefix,
  endpoint,
  region,
  pathStyle,
  answerMs,
  keys,
}: FileStoreConfig): ObjectStore {
  let opened: Promise<{ sdk: Sdk; client: S3Client }> | undefined
  const open = () => {
    opened ??= import('@aws-sdk/client-s3').then((sdk) => ({
      sdk,
      client: new sdk.S3Client({
        ...{ region, forcePathStyle: pathStyle, maxAttempts: tries, requestChecksumCalculation: 'WHEN_REQUIRED' },
        ...(endpoint && { endpoint }),
        ...(keys && { credentials: { accessKeyId: keys.id, secretAccessKey: keys.secret } }),
        responseChecksumValidation: 'WHEN_REQUIRED',
        requestHandler: {
          ...{ connectionTimeout: connectMs, requestTimeout: answerMs, socketTimeout: answerMs },
          throwOnRequestTimeout: true,
        },
      }),
    }))
    return opened
  }
  let fault: string | null = null
  const asked = async <T>(work: (sdk: Sdk, client: S3Client) => Promise<T>): Promise<T> => {
    const { sdk, client } = await open()
    return work(sdk, client).then(answered, (cause: Error) => {
      fault = cause.message || cause.name
      throw Object.assign(new AppError('FILES_UNREACHABLE', {}, 60), { cause })
    })
  }
  const answered = <T>(answer: T): T => {
    fault = null
    return answer
  }
  const at = (name: string) => ({ Bucket, Key: `${prefix}${name}` })
  return {
    put: (name, path) =>
      asked(async (sdk, client) => {
        const { size } = await stat(path)
        const sha256 = await hashOf(path)
        const Metadata = { sha256 }
        if (size <= PART_BYTES) {
          await client.send(new sdk.PutObjectCommand({ ...at(name), Body: await readFile(path), Metadata }))
          return
        }
        await putParts(sdk, client, { ...at(name), Metadata }, path)
      }),
    get: (name) =>
      asked(async (sdk, client) => {
        const answer = await client.send(new sdk.GetObjectCommand(at(name))).catch((error: unknown) => {
          if (error instanceof sdk.NoSuchKey) return undefined
          throw error
        })
        return answer && checked(name, answer.Body as Readable, answer.Metadata?.sha256)
      }),
    fault: () => fault,
    remove: (name) =>
      asked(async (sdk, client) => {
        await client.send(new sdk.DeleteObjectCommand(at(name)))
      }),
    async *list() {
      let ContinuationToken: string | undefined
      do {
        const page = await asked((sdk, client) =>
          client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken })),
        )
        yield (page.Contents ?? []).map(({ Key = '', Size = 0 }) => ({ name: Key.slice(prefix.length), bytes: Size }))
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken)
    },
  }
}

/** In parts, so that a large file is not begun again for a lost one; what was sent is given up where one fails for good. */
async function putParts(
  sdk: Sdk,
  client: S3Client,
  object: { Bucket: string; Key: string; Metadata: Record<string, string> },
  path: string,
): Promise<void> {
  const { Metadata, ...at } = object
  const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(object))
  try {
    const Parts: { ETag: string | undefined; PartNumber: number }[] = []
    for await (const Body of createReadStream(path, { highWaterMark: PART_BYTES })) {
      const PartNumber = Parts.length + 1
      const { ETag } = await client.send(new sdk.UploadPartCommand({ ...at, UploadId, PartNumber, Body }))
      Parts.push({ ETag, PartNumber })
    }
    await client.send(new sdk.CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts } }))
  } catch (error) {
    await client.send(new sdk.AbortMultipartUploadCommand({ ...at, UploadId })).catch(() => {})
    throw error
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

function checked(name: string, body: Readable, sha256: string | undefined): Readable {
  const hash = createHash('sha256')
  const out = new PassThrough({
    transform(chunk, _, done) {
      hash.update(chunk)
      done(null, chunk)
    },
    flush(done) {
      const isSame = !sha256 || hash.digest('hex') === sha256
      done(isSame ? null : new Error(`the object ${name} is not what was stored`))
    },
  })
  pipeline(body, out).catch(() => {})
  return out
}
