import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Installs packages where this is root on a Debian; whether they are there is for the caller to look. */
export function installByApt(name, ...packages) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  console.log(`Installing ${name} ...`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => spawnSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  apt('update')
  apt('install', '-y', '--no-install-recommends', ...packages)
}
