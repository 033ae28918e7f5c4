import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { ensureChromium, ensureShell } from '../scripts/run/chromium.mjs'
import { readCredentials } from '../server/src/platform/db/embedded/credentials.ts'
import { serverMain } from '../server/test/server-main.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const flags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Without a graphics card its work is done by the processor, and much slower than by the browser's own painter.
  '--disable-gpu-rasterization',
  '--disable-gpu-compositing',
  // Fewer processes have fewer messages for each other, which take long on a virtual machine within another one.
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  // The shell would make other widths of letters than the whole browser.
  '--font-render-hinting=none',
]
// Maps need WebGL, which a machine without a graphics card paints by itself: slowly.
const mapFlags = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist']

/** A browser without them needs less time: it paints maps, and shows notifications (only a whole Chromium does). */
export interface Abilities {
  maps?: boolean
  notifications?: boolean
}

/** A Chromium, with those of `BROWSER_FLAGS` and `more` besides the usual ones. */
export const launchBrowser = ({ maps, notifications }: Abilities, ...more: string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: notifications ? ensureChromium() : ensureShell(),
    args: [...flags, ...(maps ? mapFlags : []), ...(process.env.BROWSER_FLAGS?.split(' ') ?? []), ...more],
  })

export interface Stage {
  /** Where the server listens. */
  base: string
  dataDir: string
  /** The environment in which commands of the operator reach this server's data. */
  operatorEnv: Record<string, string>
  /** The database by the login role of the server. */
  databaseUrl: string
  /** Does work over one connection to the database, by that role, which is closed afterwards. */
  inDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T>
  browser: Browser
  /** A page of a new browser profile; what goes wrong in it is added to `faults`. */
  page(options?: BrowserContextOptions): Promise<Page>
  /** Console errors, CSP violations, uncaught exceptions and answers of 403 or 5xx since the beginning. */
  faults: string[]
  /** The path and fragment of the newest link of a kind (verify, reset, usersetup) mailed to an address. */
  mailedLink(to: string, kind: string): Promise<string>
  /** Stops the server, which resolves to how to start it again, on the same address and data. */
  stop(): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** The pages of this file that are open. */
export const openPages = new Set<Page>()
/** Raw keys and placeholders that pages showed since the last look. */
export const missingTexts: string[] = []

/** Makes the empty, migrated database of a stage. */
export type MakeDatabase = () => Promise<{ url: string; drop(): Promise<void> }>
let makeDatabase: MakeDatabase | undefined

/** The databases of the next stages come from `make`; without it a server starts a PostgreSQL of its own. */
export const takeDatabasesFrom = (make: MakeDatabase) => {
  makeDatabase = make
}

/** A server of its own on an empty database, and a browser that paints maps. */
export async function openStage(
  env: Record<string, string> = {},
  abilities: Omit<Abilities, 'maps'> = {},
): Promise<Stage> {
  if (!existsSync(join(root, 'web/dist/index.html'))) throw new Error('web/dist is missing: build the web first')
  const dataDir = await mkdtemp(join(tmpdir(), 'isotherm-e2e-'))
  // Else PostgreSQL's account could not enter, and the cluster would stay behind in /var/lib/isotherm.
  await chmod(dataDir, 0o711)
  const database = await makeDatabase?.()
  const operatorEnv = { DATA_DIR: dataDir, ...(database && { DATABASE_URL: database.url }) }
  let server = startServer({ ...operatorEnv, ...env })
  const faults: string[] = []
  let browser: Browser | undefined
  const close = async () => {
    await browser?.close()
    await stopServer(server)
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const base = await listening(server)
    browser = await launchBrowser({ maps: true, ...abilities })
    const opened = browser
    const page = async (options: BrowserContextOptions = {}) => {
      const context = await opened.newContext({
        baseURL: base,
        locale: 'en-GB',
        timezoneId: 'Africa/Lagos',
        viewport: { width: 1366, height: 800 },
        // Moving elements are paler or elsewhere for a moment: tests wait for them longer, and may judge a wrong picture.
        reducedMotion: 'reduce',
        // The worker would answer in the place of the network that a test holds up; tests of the worker let it in.
        serviceWorkers: 'block',
        ...options,
      })
      // A busy machine is slow, and that is no fault of the product.
      context.setDefaultTimeout(60_000)
      const made = await context.newPage()
      collectFaults(made, faults)
      openPages.add(made)
      made.once('close', () => openPages.delete(made))
      return made
    }
    const stop = async () => {
      await stopServer(server)
      return async () => {
        server = startServer({ ...operatorEnv, ...env, PORT: new URL(base).port })
        await listening(server)
      }
    }
    const databaseUrl = database?.url ?? (await embeddedUrl(dataDir))
    return {
      stop,
      ...{ base, dataDir, operatorEnv, databaseUrl, browser, page, faults, close },
      inDatabase: (work) => inDatabase(databaseUrl, work),
      mailedLink: (to, kind) => mailedLink(dataDir, to, kind),
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function inDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function embeddedUrl(dataDir: string): Promise<string> {
  const credentials = await readCredentials(dataDir)
  if (!credentials) throw new Error('the database has no credentials')
  return `postgres://isotherm:${encodeURIComponent(credentials.password)}@127.0.0.1:${credentials.port}/isotherm`
}

/** `SERVER_MAIN` names another file than the server's own to start it by. */
function startServer({ SERVER_MAIN = serverMain, ...env }: Record<string, string>): ChildProcess {
  return spawn(join(root, 'node_modules/.bin/node'), [SERVER_MAIN, 'start'], {
    cwd: root,
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      MQTT_PORT: '0',
      METRICS_PORT: 'off',
      // Journeys log in and mail far more than a person; one test of the server uses the shipped figures.
      RATE_LIMIT_LOGIN: '1000/1000/60',
      RATE_LIMIT_MAIL: '1000/1000/60',
      RATE_LIMIT_TOKEN: '1000/1000/60',
      RATE_WRITES: '100000/100000/100000/100000',
      RATE_EXPORTS: '100000/100000/100000/100000',
      REPORTS_WAITING_PERSON: '1000',
      REPORTS_WAITING_COMPANY: '1000',
      MIN_FREE_DISK: '1MB',
      // Two journeys claim by the code of the label; the others set devices up by the call, many of them.
      CLAIM_CODES: 'off',
      // A machine that tests everything at once runs late; a test of the server is about that.
      OVERLOAD_DELAY_MS: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Resolves to the address that the server says it listens at. */
const listening = (server: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const found = output.match(/Server listening at (http:\/\/127\.0\.0\.1:\d+)/)
      if (found?.[1]) resolve(found[1])
    }
    server.stdout?.on('data', read)
    server.stderr?.on('data', read)
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${output.slice(-4000)}`)))
  })

const stopServer = (server: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve()
    server.once('exit', () => resolve())
    server.kill('SIGTERM')
  })

function collectFaults(page: Page, faults: string[]) {
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    // The browser prints every refused answer; those that are faults are collected below.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(`${page.url()}: ${message.text()}`)
    if (message.text().startsWith('no text: ')) missingTexts.push(`${page.url()}: ${message.text()}`)
  })
  page.on('response', (response) => {
    if (response.status() === 403 || response.status() >= 500)
      faults.push(`${response.status()} ${response.request().method()} ${response.url()}`)
  })
}

/** The files of a folder; their names say nothing about their order. None where there is no folder yet. */
async function newestFirst(folder: string): Promise<string[]> {
  const paths = (await readdir(folder).catch(() => [])).map((name) => join(folder, name))
  const files = await Promise.all(paths.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })))
  return files.sort((one, other) => other.at - one.at).map(({ path }) => path)
}

async function mailedLink(dataDir: string, to: string, kind: string): Promise<string> {
  const outbox = join(dataDir, 'outbox')
  const link = new RegExp(`https?://[^\\s"<>]+/${kind}[/#][^\\s"<>]+`)
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    for (const path of await newestFirst(outbox)) {
      const mail = unfolded(await readFile(path, 'utf8'))
      const found = mail.toLowerCase().includes(`to: ${to.toLowerCase()}`) && mail.match(link)
      if (found) {
        const { pathname, hash } = new URL(found[0])
        return pathname + hash
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no ${kind} mail to ${to}`)
}

/** Quoted-printable lines put together again. */
const unfolded = (mail: string) => mail.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
