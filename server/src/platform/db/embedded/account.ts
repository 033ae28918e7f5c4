import { spawnSync } from 'node:child_process'
import { StartRefused } from '../../errors/start-refused.ts'

/** The unix account PostgreSQL runs under; null means our own (PostgreSQL refuses to run as root). */
export type Account = { uid: number; gid: number } | null

const CANDIDATES = ['isotherm', 'postgres', 'nobody']

/**
 * Picks the account for a new cluster. As root it is the first existing one of isotherm, postgres and nobody: initdb
 * looks its name up, so a bare uid without a passwd entry will not do.
 */
export function chooseAccount(): Account {
  if (process.getuid?.() !== 0) return null
  for (const name of CANDIDATES) {
    const account = lookUp(name)
    if (account) return account
  }
  throw new StartRefused(
    `PostgreSQL cannot run as root and none of the accounts ${CANDIDATES.join(', ')} exists: create one.`,
  )
}

/** True when that account may enter `dir`, with every folder on the way to it, and run `file` in it, if given. */
export function canReach(account: Account, dir: string, file = ''): boolean {
  const script = 'cd "$1" && { test -z "$2" || test -x "$2"; }'
  const answer = spawnSync('/bin/sh', ['-c', script, 'sh', dir, file], {
    stdio: 'ignore',
    cwd: '/',
    ...(account ?? {}),
  })
  return answer.status === 0
}

function lookUp(name: string): Account {
  const id = (flag: string) => {
    const answer = spawnSync('id', [flag, name], { encoding: 'utf8' })
    return answer.status === 0 ? Number(answer.stdout.trim()) : 0
  }
  const uid = id('-u')
  return uid > 0 ? { uid, gid: id('-g') } : null
}
