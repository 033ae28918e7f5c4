import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import type { BucketConfig } from '../config/bucket.ts'
import { AppError } from '../errors/app-error.ts'
import { endUploads } from './end-uploads.ts'
import { type Put, type Sdk, sendContent } from './send-content.ts'

export interface ListedObject {
  name: string
  bytes: number
  /** When it was put. */
  at: Date
}

type Kind = 'put' | 'get' | 'remove' | 'list'

/** Calls of a kind that ended alike, what they took, and the bytes that were put. */
export interface Figure {
  kind: Kind
  result: 'done' | 'failed'
  calls: number
  seconds: number
  bytes: number
}

/** An object has another content than was put: its stream ends with this. */
export class DamagedObjectError extends Error {}

/** Objects in a bucket that speaks S3. What does not answer throws FILES_UNREACHABLE (503). */
export interface ObjectStore {
  /** Puts the file at `path`; it is there, whole, once this resolves. */
  put(name: string, path: string): Promise<void>
  /** The same of what comes, in parts of so many bytes where it is more; returns how many came. An error of `content` is thrown as it is. */
  putContent(name: string, content: AsyncIterable<Uint8Array>, partBytes: number): Promise<number>
  /** The content; undefined where there is none. The stream fails at its end where it is not what was put. */
  get(name: string): Promise<Readable | undefined>
  /** Removes an object; one that is gone already is no fault. */
  remove(name: string): Promise<void>
  /**
   * Why the bucket did not answer when it was asked last; null: it did. While there is a fault it is asked again, every few seconds at most, so that an
   * operator hears that it is over also where nobody wants a file.
   */
  fault(): string | null
  /** All objects in the order of their names, by pages; those after a name, or below a folder (`a/b/`). */
  list(after?: string, folder?: string): AsyncGenerator<ListedObject[]>
  /** Gives up uploads that were begun before an instant and got no part since; none where the service cannot list them. */
  endUploads(before: Date): Promise<void>
  /** The calls so far, by kind and result. */
  figures(): readonly Figure[]
}

/** So much of a file is in memory at once, so that it can be sent again. */
const PART_BYTES = 8 * 2 ** 20
const connectMs = 3_000
const tries = 3
const askAgainMs = 5_000

const stores = new Map<string, ObjectStore>()

/** The store of a configuration: one for the process, as its connections are. The SDK is loaded with its first use. */
export function objectStore(config: BucketConfig): ObjectStore {
  const key = JSON.stringify(config)
  const known = stores.get(key)
  if (known) return known
  const made = makeStore(config)
  stores.set(key, made)
  return made
}

function makeStore({ bucket: Bucket, prefix, endpoint, region, pathStyle, answerMs, keys }: BucketConfig): ObjectStore {
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
  let askedAt = 0
  const figures = new Map<string, Figure>()
  const count = (kind: Kind, result: Figure['result'], begun: number, bytes = 0) => {
    const key = `${kind} ${result}`
    const { calls = 0, seconds = 0, bytes: before = 0 } = figures.get(key) ?? {}
    const took = (performance.now() - begun) / 1000
    figures.set(key, { kind, result, calls: calls + 1, seconds: seconds + took, bytes: before + bytes })
  }
  const asked = async <T>(kind: Kind, work: (sdk: Sdk, client: S3Client) => Promise<T>, bytes?: number): Promise<T> => {
    const { sdk, client } = await open()
    const begun = performance.now()
    return work(sdk, client).then(
      (answer) => {
        fault = null
        count(kind, 'done', begun, bytes)
        return answer
      },
      (cause: Error) => {
        count(kind, 'failed', begun)
        fault = cause.message || cause.name
        askedAt = performance.now()
        throw Object.assign(new AppError('FILES_UNREACHABLE', {}, 60), { cause })
      },
    )
  }
  const put: Put = (work, bytes) => asked('put', work, bytes)
  const at = (name: string) => ({ Bucket, Key: `${prefix}${name}` })
  const askAgain = async () => {
    askedAt = performance.now()
    await asked('list', (sdk, client) =>
      client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 })),
    ).catch(() => {})
  }
  return {
    async put(name, path) {
      const { size } = await stat(path)
      // The hash of what fits into one part is made of the bytes that are sent.
      const sha256 = size > PART_BYTES ? await hashOf(path) : undefined
      const content = createReadStream(path, { highWaterMark: PART_BYTES })
      await sendContent(put, { object: at(name), content, partBytes: PART_BYTES, sha256 })
    },
    putContent: (name, content, partBytes) => sendContent(put, { object: at(name), content, partBytes }),
    get: (name) =>
      asked('get', async (sdk, client) => {
        const answer = await client.send(new sdk.GetObjectCommand(at(name))).catch((error: unknown) => {
          if (error instanceof sdk.NoSuchKey) return undefined
          throw error
        })
        return answer && checked(name, answer.Body as Readable, answer.Metadata?.sha256)
      }),
    fault() {
      if (fault !== null && performance.now() - askedAt > askAgainMs) void askAgain()
      return fault
    },
    figures: () => [...figures.values()],
    remove: (name) =>
      asked('remove', async (sdk, client) => {
        await client.send(new sdk.DeleteObjectCommand(at(name)))
      }),
    async *list(after, folder = '') {
      const StartAfter = after === undefined ? undefined : `${prefix}${after}`
      let ContinuationToken: string | undefined
      do {
        const page = await asked('list', (sdk, client) =>
          client.send(
            new sdk.ListObjectsV2Command({ Bucket, Prefix: `${prefix}${folder}`, StartAfter, ContinuationToken }),
          ),
        )
        yield (page.Contents ?? []).map(({ Key = '', Size = 0, LastModified = new Date() }) => ({
          ...{ name: Key.slice(prefix.length), bytes: Size, at: LastModified },
        }))
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken)
    },
    endUploads: (before) =>
      asked('remove', (sdk, client) => endUploads(sdk, client, { Bucket, Prefix: prefix }, before)),
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
      done(isSame ? null : new DamagedObjectError(`the object ${name} is not what was stored`))
    },
  })
  pipeline(body, out).catch(() => {})
  return out
}
