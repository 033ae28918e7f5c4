import { RefusedError } from '../../platform/backup/refused.ts'
import { packagedVersion } from '../../platform/db/embedded/binaries.ts'
import { migrations } from '../../platform/db/migrate.ts'
import type { Manifest } from './manifest.ts'

/** Throws when this version of Isotherm, or of its PostgreSQL, cannot run what the backup holds. */
export async function needSuitable({ database, version }: Manifest): Promise<void> {
  if (!database) return
  const [major, own] = [database.postgres, await packagedVersion()].map((each) => each.split('.')[0])
  if (major !== own)
    throw new RefusedError(`The backup is of PostgreSQL ${major}, this version of Isotherm has ${own}.`)
  const known = new Map((await migrations()).map(({ name, hash }) => [name, hash]))
  const strange = database.migrations.filter(({ name, hash }) => known.get(name) !== hash).map(({ name }) => name)
  if (strange.length === 0) return
  throw new RefusedError(
    `The backup was made by another version (${version}), whose database has ${strange.join(', ')}: restore it with that ` +
      'version or a newer one.',
  )
}
