import type { BucketConfig } from '../config/bucket.ts'
import { AppError } from '../errors/app-error.ts'
import { objectStore } from '../files/object-store.ts'
import { Absent, type BackupStore, type StoredObject } from './backup-store.ts'
import { RefusedError } from './refused.ts'

/** A part is in memory at once; 10,000 of them are the largest base: 312 GB packed. */
const PART_BYTES = 32 * 2 ** 20

/** A bucket that speaks S3, or what is below a prefix in it: of this installation's backup alone. */
export function bucketStore(config: BucketConfig): BackupStore {
  const objects = objectStore(config)
  const place = `s3://${config.bucket}/${config.prefix}`
  const asked = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: Error) => {
      if (!(error instanceof AppError)) throw error
      const { message, name } = error.cause as Error
      throw new RefusedError(`${place} does not answer, or refuses: ${message || name}`)
    })
  return {
    place,
    put: (name, content) => asked(objects.putContent(name, content, PART_BYTES)),
    async list(folder) {
      const found: StoredObject[] = []
      const pages = objects.list(undefined, folder && `${folder}/`)
      for (let page = await asked(pages.next()); !page.done; page = await asked(pages.next()))
        for (const { name, bytes, at } of page.value) found.push({ name, bytes, storedAt: at.getTime() })
      return found
    },
    async get(name) {
      const content = await asked(objects.get(name))
      if (!content) throw new Absent(`There is no ${name} in ${place}.`)
      return content
    },
    remove: (name) => asked(objects.remove(name)),
    removeUnfinished: (before) => asked(objects.endUploads(before)),
    freeBytes: async () => null,
  }
}
