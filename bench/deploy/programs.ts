import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { chooseAccount } from '../../server/src/platform/db/embedded/account.ts'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** No server of the try runs as root; null: we are no root ourselves. */
export const account = chooseAccount()

export const has = (program: string): boolean => spawnSync('which', [program]).status === 0

export interface RunOptions {
  cwd?: string
  env?: Record<string, string>
  /** Whether it keeps our own account. */
  asSelf?: boolean
}

const optionsOf = ({ cwd = '/', env = {}, asSelf }: RunOptions) => ({
  cwd,
  // Nothing of our own environment: what a unit or a container does not name is not there.
  env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', ...env },
  ...((!asSelf && account) || {}),
})

/** Runs a program to its end and returns what it printed; throws its words where it fails. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    ...optionsOf(options),
    encoding: 'utf8',
    maxBuffer: 64e6,
  })
  if (error) throw new Error(`${program} cannot be run: ${error.message}`)
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ').slice(0, 80)} failed: ${(stderr || stdout).slice(-800)}`)
  return stdout
}

/** Starts a program; what it prints goes to the open file `output`. */
export const launch = (program: string, args: readonly string[], options: RunOptions, output: number): ChildProcess =>
  spawn(program, args, { ...optionsOf(options), stdio: ['ignore', output, output] })
