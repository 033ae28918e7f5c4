import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import type { BucketConfig } from '../src/platform/config/bucket.ts'

const bucket = 'isotherm-files'

/** A server on loopback that speaks S3, with an empty bucket; it keeps each object as a file of `directory`. */
export async function startS3(): Promise<{ store: BucketConfig; directory: string; stop(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'isotherm-s3-'))
  const server = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory },
    configureBuckets: [{ name: bucket }],
  })
  const { port } = await server.run()
  let isOver = false
  return {
    directory: join(directory, bucket),
    store: {
      ...{ bucket, prefix: 'isotherm/', endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', pathStyle: true },
      answerMs: 10_000,
      keys: { id: 'S3RVER', secret: 'S3RVER' },
    },
    async stop() {
      if (isOver) return
      isOver = true
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
