import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, lstat, mkdir, readlink, realpath, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartRefused } from '../../errors/start-refused.ts'
import { makeFolder } from '../../files/make-folder.ts'
import { type Account, canReach, chooseAccount } from './account.ts'

/** `home` holds the cluster (PGDATA) and is owned by `account`; `copies` is where binaries may be copied to. */
export type Location = { home: string; cluster: string; account: Account; copies: string }

/** For data whose own path the unprivileged account cannot traverse. */
const SYSTEM_DIR = '/var/lib/isotherm'

/**
 * Decides where the cluster of `dataDir` lives: `dataDir/postgres`, which is a link to /var/lib/isotherm/<hash> where
 * the account cannot enter `dataDir` (a home folder, a mktemp clone). An existing cluster is run by its owner.
 */
export async function locate(dataDir: string, systemDir = SYSTEM_DIR): Promise<Location> {
  await makeFolder(dataDir, 0o711)
  const inside = join(await realpath(dataDir), 'postgres')
  const account = (await ownerOf(join(inside, 'cluster'))) ?? chooseAccount()
  if (!(await lstat(inside).catch(() => null))) await makeHome(inside, dataDir, account, systemDir)
  const home = await realpath(inside).catch(async () => {
    throw new StartRefused(
      `${inside} points to ${await readlink(inside)}, which is gone. Restore it, or remove the link.`,
    )
  })
  // A first start killed between making the folder and giving it away.
  if (account && !existsSync(join(home, 'cluster'))) await chown(home, account.uid, account.gid)
  if (!canReach(account, home)) {
    const uid = account?.uid ?? process.getuid?.()
    throw new StartRefused(
      `PostgreSQL's account (uid ${uid}) cannot enter ${home}: chmod a+x the folders above it, or move it.`,
    )
  }
  return { home, cluster: join(home, 'cluster'), account, copies: account ? systemDir : home }
}

/** Makes `inside` the folder of a cluster to be, or a link to one that the account can enter, where it cannot enter `dataDir`. */
export async function makeHome(
  inside: string,
  dataDir: string,
  account: Account,
  systemDir = SYSTEM_DIR,
): Promise<void> {
  if (canReach(account, dataDir)) return makeOwned(inside, account)
  const hash = createHash('sha256').update(inside).digest('hex').slice(0, 16)
  await mkdir(systemDir, { recursive: true, mode: 0o755 })
  await makeOwned(join(systemDir, hash), account)
  await symlink(join(systemDir, hash), inside)
}

async function makeOwned(dir: string, account: Account): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  if (account) await chown(dir, account.uid, account.gid)
}

/** The account of an existing cluster: a server must run as the owner of its files, whoever starts it now. */
async function ownerOf(cluster: string): Promise<Account> {
  // Somebody who may not enter the folder around it learns whose that is.
  const found = await stat(cluster).catch((error: NodeJS.ErrnoException) =>
    error.code === 'EACCES' ? stat(dirname(cluster)).catch(() => null) : null,
  )
  const self = process.getuid?.()
  if (!found || found.uid === self) return null
  if (self !== 0) {
    throw new StartRefused(
      `${cluster} belongs to uid ${found.uid}; start Isotherm as that user or as root (now: uid ${self}).`,
    )
  }
  return { uid: found.uid, gid: found.gid }
}
