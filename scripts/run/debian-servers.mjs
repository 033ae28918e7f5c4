import { spawnSync } from 'node:child_process'
import { installByApt } from './apt.mjs'

/** Why several nodes are not tried. */
export const noHaproxy = 'haproxy is not installed (apt-get install haproxy)'

export const hasHaproxy = () => spawnSync('haproxy', ['-v']).status === 0
const hasNats = () => spawnSync('nats-server', ['-v']).status === 0

/** Has several nodes tried behind haproxy, and with NATS: those that are installed, or that apt installs now (as root). Elsewhere their tests are left out. */
export function tryServers() {
  const missing = [...(hasHaproxy() ? [] : ['haproxy']), ...(hasNats() ? [] : ['nats-server'])]
  if (missing.length > 0) installByApt(missing.join(' and '), ...missing)
  if (!hasHaproxy()) console.log(`Several nodes are not tried: ${noHaproxy}`)
}
