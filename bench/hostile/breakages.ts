import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Client } from './client.ts'
import type { Step } from './step.ts'
import { requestOf, type World } from './world.ts'

/** A wall that is taken away while requests go on. */
export interface Breakage {
  says: string
  /** Run by the owner of the tables, once the scene stands. */
  sql: string
  /** Each is in one of the failures that the run ends with; without any, the run passes. */
  finds: readonly RegExp[]
  /** The server's queries that read this table do not ask for the company. */
  withoutCompany?: string
  /** Sent by each tenant then. */
  step?: Step
  /** Enough of them, where each takes long. */
  requests?: number
}

const openTable = 'alter table geofences disable row level security'

/** People are told at most once a minute. */
const aMinuteLater = `begin; set local role pipeline;
  update deliveries set created_at = created_at - interval '5 minutes'; commit`

export const breakages: Readonly<Record<string, Breakage>> = {
  'one-wall': { says: 'row-level security alone is away', sql: openTable, finds: [] },
  'other-wall': { says: 'the condition in queries alone is away', sql: '', finds: [], withoutCompany: 'geofences' },
  tenant: {
    says: 'both walls are away: geofences of the other tenant in answers',
    ...{ sql: openTable, withoutCompany: 'geofences', finds: [/times leak /] },
  },
  private: {
    says: 'a device that was private is public, and only the judge is not told',
    ...{
      sql: aMinuteLater,
      step: { who: 'admin', method: 'PATCH', path: '/devices/«hidden»', body: { visibility: 'public' } },
    },
    finds: [/times leak /, /times .* mail,/, /times .* webhook,/, /times .* stream,/],
  },
  addresses: {
    says: 'mails and webhooks go to the other tenant',
    sql: `${aMinuteLater};
      create function crossed() returns trigger language plpgsql as
        $$ begin new.address := replace(new.address, 'canary-a-', 'canary-b-'); return new; end $$;
      create trigger crossed before insert on deliveries for each row execute function crossed()`,
    finds: [/times tells .* mail,/, /times tells .* webhook,/],
  },
  errors: {
    says: 'calls end with 500',
    ...{ sql: 'revoke select on points_of_interest from app', finds: [/times 500 /] },
  },
  slow: {
    says: 'calls take 6 s',
    sql: 'create policy slow on points_of_interest as restrictive to app using ((select pg_sleep(6)) is not null)',
    ...{ finds: [/times slow /], requests: 500 },
  },
  log: {
    says: 'an error in the log',
    sql: 'alter table notifications add constraint broken check (false) not valid',
    finds: [/^\d+ errors in the log/],
  },
}

/** Takes the wall away; then every device measures something new, so that the server has something to tell. */
export async function breakWall(
  { sql, step }: Breakage,
  owner: pg.Client,
  client: Client,
  world: World,
): Promise<void> {
  // A message within a second of the scene may have been on its way before its devices were private.
  await sleep(2_000)
  await owner.query(sql)
  for (const side of Object.values(world.sides))
    for (const each of step ? [step, ...news()] : news()) {
      const { status, body } = await client.send(requestOf(side, each, each.who))
      if (status !== 200) throw new Error(`${each.method} ${each.path}: ${status} ${body}`)
      // A stream is closed when a device is hidden or shown, and its listener comes back after a second.
      await sleep(each === step ? 2_000 : 200)
    }
}

function news(): Step[] {
  const now = Date.now()
  const readings = (...values: (number | string)[]) => ({
    readings: values.map((temperatureC, index) => ({ at: new Date(now + index).toISOString(), temperatureC })),
  })
  return [
    { who: 'device', method: 'POST', path: '/ingest/«hiddenImei»', body: readings(0, '«#hiddenC»') },
    { who: 'device', method: 'POST', path: '/ingest/«imei»', body: readings(0, '«#openWarmC»') },
  ]
}

/** A run for each breakage, in a process of its own; whether each was found, and the runs without any passed. */
export async function tryBreakages(port: number, requests: number): Promise<boolean> {
  let failed = 0
  for (const [name, { says, finds, requests: enough = requests }] of Object.entries(breakages)) {
    const count = String(Math.min(requests, enough))
    const { code, output } = await run(['--break', name, '--port', String(port), '--requests', count])
    const failures = output.split('FAILED\n')[1]?.split('\n') ?? []
    const missed = finds.filter((each) => !failures.some((line) => each.test(line)))
    const isGood = code === Math.min(finds.length, 1) && missed.length === 0
    if (!isGood) failed++
    console.log(`${isGood ? '✓' : '✗'} ${name}: ${says}; the run ended with ${code}`)
    const found = finds.map((each) => failures.find((line) => each.test(line)) ?? String(each))
    for (const line of isGood ? found : [...missed.map(String), ...output.split('\n').slice(-60)])
      console.log(`    ${line.slice(0, 300)}`)
  }
  return failed === 0
}

function run(args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [process.argv[1] ?? '', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const take = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })))
}
