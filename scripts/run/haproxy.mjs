import { spawnSync } from 'node:child_process'
import { installByApt } from './apt.mjs'

/** Why several nodes are not tried. */
export const noHaproxy = 'haproxy is not installed (apt-get install haproxy)'

export const hasHaproxy = () => spawnSync('haproxy', ['-v']).status === 0

/** Has several nodes tried behind haproxy: one that is installed, or that apt installs now (as root). Elsewhere their test is left out. */
export function tryHaproxy() {
  if (!hasHaproxy()) installByApt('haproxy', 'haproxy')
  if (!hasHaproxy()) console.log(`Several nodes are not tried: ${noHaproxy}`)
}
