import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { fleet } from '@isotherm/simulator/fleet.ts'
import { openBank, tellOfPayments } from '../demo/bank.ts'
import { ensureOrders } from '../demo/orders.ts'
import { runReports } from '../demo/reports.ts'
import { type Demo, seedDemo } from '../demo/seed.ts'
import { type Running, start } from '../start.ts'
import type { Command } from './command.ts'
import { askedToStop } from './start.ts'

const simulator = fileURLToPath(import.meta.resolve('@isotherm/simulator/main.ts'))
const daysOfHistory = 31

/** The second company owns the last tracker of Ghana; everything else is the main company's. */
function fleets() {
  const all = fleet('demo')
  const theirs = all.findLast((tracker) => tracker.country === 'GH')
  return { main: all.filter((tracker) => tracker !== theirs), second: theirs ? [theirs] : [] }
}

/** Runs the server with a demo company, and the virtual fleet as a process of its own that talks to it as real trackers do. */
export const demoCommand: Command = async (given) => {
  const asked = askedToStop()
  const { bank, config } = await openBank(given)
  const running = await start(config)
  const { log } = running.services
  if (bank) tellOfPayments(bank, `http://127.0.0.1:${config.port}`)
  const owned = fleets()
  const demo = await seedDemo(running.services, owned)
  announce(config.publicUrl, demo)
  const trackers = await sendOut(running, demo, [...owned.main, ...owned.second])
  trackers.once('exit', (code) => code && log.error({ code }, 'the virtual fleet has stopped'))
  log.info({ signal: await asked }, 'stopping')
  if (trackers.exitCode === null) {
    trackers.kill('SIGTERM')
    await once(trackers, 'exit')
  }
  await running.stop()
  await bank?.close()
  return 0
}

function announce(url: string, { password, people }: Demo) {
  const lines = people.map(({ email, role, company }) => `  ${email.padEnd(26)}${role.padEnd(9)}${company}`)
  console.log(`\nIsotherm is at ${url}\n\n${lines.join('\n')}\n\n  password: ${password}\n`)
}

/** The first time with a month of history; afterwards the trackers remember where they were. */
async function sendOut(
  { services, mqttPort }: Running,
  demo: Demo,
  trackers: { imei: string }[],
): Promise<ChildProcess> {
  const { dataDir, port } = services.config
  const secrets = join(dataDir, 'demo-secrets.json')
  const memory = join(dataDir, 'demo-trackers.json')
  await writeFile(
    secrets,
    JSON.stringify(Object.fromEntries(trackers.map(({ imei }) => [imei, demo.secretOf(imei)]))),
    {
      mode: 0o600,
    },
  )
  const days = existsSync(memory) ? 0 : daysOfHistory
  const child = spawn(
    process.execPath,
    [
      simulator,
      ...['--secrets', secrets, '--memory', memory, '--days', String(days), '--live'],
      ...['--url', `http://127.0.0.1:${port}`, '--mqtt', `mqtt://127.0.0.1:${mqttPort}`],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const output = createInterface({ input: child.stdout }).on('line', (line) => services.log.info(`fleet: ${line}`))
  const failed = (said: string) => (error: unknown) => services.log.warn({ err: error }, said)
  if (demo.isNew)
    output.on('line', (line) => {
      // The last it says of the history: now there is something to report on, and to sign for.
      if (!line.startsWith('history:')) return
      ensureOrders(services, demo.companyId).catch(failed('no orders were made'))
      runReports(services, demo.companyId).catch(failed('no report was run'))
    })
  return child
}
