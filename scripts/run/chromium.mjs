import { existsSync } from 'node:fs'
import { installByApt } from './apt.mjs'

const KNOWN = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Path of a Chromium for the journeys: CHROMIUM_PATH, one that is installed, or one installed now by apt (as root). */
export function ensureChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`CHROMIUM_PATH is ${named}, and there is nothing there`)
  }
  return findChromium() ?? install()
}

/** The one that is there, or undefined. */
export const findChromium = () => [process.env.CHROMIUM_PATH, ...KNOWN].find((path) => path && existsSync(path))

function install() {
  installByApt('Chromium', 'chromium', 'fonts-dejavu-core')
  const found = findChromium()
  if (!found) throw new Error('no Chromium: install one (apt install chromium), or set CHROMIUM_PATH')
  return found
}
