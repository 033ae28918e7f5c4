import { existsSync } from 'node:fs'
import { installByApt } from './apt.mjs'

const WHOLE = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The same browser without windows, their toolbar and notifications: what it leaves out takes a quarter of a journey's processor time. */
const SHELL = '/usr/bin/chromium-headless-shell'

/** Path of a Chromium for journeys with notifications: CHROMIUM_PATH, one that is installed, or one installed now by apt (as root). */
export function ensureChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`CHROMIUM_PATH is ${named}, and there is nothing there`)
  }
  return findWhole() ?? installWhole()
}

/** Path of a Chromium for the other journeys: its shell where there is one, or can be installed. */
export function ensureShell() {
  if (process.env.CHROMIUM_PATH) return ensureChromium()
  if (!existsSync(SHELL)) installByApt("Chromium's shell", 'chromium-headless-shell', 'fonts-dejavu-core')
  return existsSync(SHELL) ? SHELL : ensureChromium()
}

const findWhole = () => WHOLE.find(existsSync)

function installWhole() {
  installByApt('Chromium', 'chromium', 'fonts-dejavu-core')
  const found = findWhole()
  if (!found) throw new Error('no Chromium: install one (apt install chromium), or set CHROMIUM_PATH')
  return found
}
