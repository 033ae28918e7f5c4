import { createHash } from 'node:crypto'
import { z } from 'zod'
import { RefusedError } from '../../platform/backup/refused.ts'

/** Version of the layout of backups; a restore refuses a version it does not know. */
export const FORMAT = 1
/** Follows all files, so that it can hold their hashes. */
export const MANIFEST = 'manifest.json'
/** The last entry, the manifest's own hash as `sha256sum --check` takes it: a backup without it was cut off. */
export const SEAL = `${MANIFEST}.sha256`

export const sealOf = (manifest: Buffer): Buffer =>
  Buffer.from(`${createHash('sha256').update(manifest).digest('hex')}  ${MANIFEST}\n`)

const Manifest = z.object({
  format: z.literal(FORMAT),
  /** Version of Isotherm. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** Such as linux-x64. */
  platform: z.string(),
  /** Null: only the files of DATA_DIR, of an installation with a database of its own. */
  database: z
    .object({
      /** Version of PostgreSQL, such as 18.4. */
      postgres: z.string(),
      /** The schema: every migration that was applied, and the hash of its text. */
      migrations: z.array(z.object({ name: z.string(), hash: z.string() })),
    })
    .nullable(),
  files: z.array(z.object({ path: z.string(), bytes: z.int().nonnegative(), sha256: z.string() })),
})

/** The description that a backup carries. */
export type Manifest = z.infer<typeof Manifest>
export type ListedFile = Manifest['files'][number]

/** Throws where the text is no manifest that this version understands. */
export function parseManifest(text: string): Manifest {
  const { format } = z.looseObject({ format: z.int() }).parse(JSON.parse(text))
  if (format > FORMAT) {
    throw new RefusedError(
      `The backup has format ${format}, this version knows ${FORMAT}: restore it with a newer one.`,
    )
  }
  return Manifest.parse(JSON.parse(text))
}
