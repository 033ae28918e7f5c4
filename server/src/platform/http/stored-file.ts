import type { Config } from '../config/config.ts'
import { orNotFound } from '../errors/app-error.ts'
import { type FileKey, openFiles } from '../files/files.ts'
import { AfterCommit } from './after-commit.ts'
import type { FileBody } from './serve.ts'

/**
 * A file that was kept, as the answer of a call: opened once the transaction is over, because a bucket may take its time. NOT_FOUND without a key, and
 * where the file is gone.
 */
export const storedFile = (
  config: Config,
  key: FileKey | null | undefined,
  as: Omit<FileBody, 'body'>,
): AfterCommit<FileBody> =>
  new AfterCommit(async () => ({ body: orNotFound(key ? await openFiles(config).read(key) : undefined), ...as }))
