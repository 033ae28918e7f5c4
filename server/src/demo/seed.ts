import { randomBytes } from 'node:crypto'
import type { Services } from '../platform/services.ts'
import { ensureAlarms } from './alarms.ts'
import { ensureCatalogue } from './catalogue.ts'
import { ensureDevelopers } from './developers.ts'
import { claimFleet, ensureHardware } from './fleet.ts'
import { ensureGroups } from './groups.ts'
import { readKeepsake, writeKeepsake } from './keepsake.ts'
import { ensureLogo } from './logo.ts'
import { ensureOnCall } from './on-call.ts'
import { type DemoCompany, ensureCompany } from './people.ts'
import { ensurePlaces } from './places.ts'
import { ensureRecords } from './records.ts'
import { ensureReports } from './reports.ts'
import { ensureShipments } from './shipments.ts'
import { ensureStore } from './store.ts'
import type { DemoTracker } from './tracker.ts'

/** How far back the devices' history may begin: a month, and a day for zones and clocks. */
export const demoDays = 32

const main: DemoCompany = {
  name: 'Demo Cold Chain Ltd',
  country: 'NG',
  timezone: 'Africa/Lagos',
  city: 'Lagos',
  industry: 'Pharmaceutical logistics',
  people: [
    { email: 'admin@demo.test', fullname: 'Adaeze Okafor', role: 'admin' },
    { email: 'manager@demo.test', fullname: 'Juma Wanjiru', role: 'manager' },
    { email: 'staff@demo.test', fullname: 'Esi Mensah', role: 'staff' },
  ],
}
/** Somebody else: nothing of theirs may ever be seen by the main company, nor the other way round. */
const second: DemoCompany = {
  name: 'Sahel Fresh Ltd',
  country: 'GH',
  timezone: 'Africa/Accra',
  city: 'Accra',
  industry: 'Fresh produce',
  people: [{ email: 'admin@second.demo.test', fullname: 'Kwame Boateng', role: 'admin' }],
}

export interface Demo {
  /** The password of every person of both companies. */
  password: string
  people: readonly { email: string; role: string; company: string }[]
  /** Whether this start made devices, whose history is to be loaded. */
  isNew: boolean
  companyId: number
  secretOf(imei: string): string | undefined
}

/**
 * Makes the demo, or what of it is missing: companies, people, hardware, licences and devices. Safe to repeat. The
 * password is DEMO_PASSWORD, else the one of before, else a new one; kept with the devices' secrets in DATA_DIR/demo.json.
 */
export async function seedDemo(
  services: Services,
  fleets: { main: readonly DemoTracker[]; second?: readonly DemoTracker[] },
): Promise<Demo> {
  const { config, clock } = services
  const since = new Date(clock.now().getTime() - demoDays * 86_400_000)
  const known = await readKeepsake(config.dataDir)
  const password = config.demoPassword ?? known?.password ?? randomBytes(9).toString('base64url')
  const all = [...fleets.main, ...(fleets.second ?? [])]
  const secrets = await ensureHardware(services, all, known?.secrets ?? {})
  await writeKeepsake(config.dataDir, { password, secrets })
  await ensureCatalogue(services)
  await ensureStore(services)
  const companyId = await ensureCompany(services, main, password, since)
  const secondId = await ensureCompany(services, second, password, since)
  const claimed = await claimFleet(services, companyId, fleets.main, since)
  await claimFleet(services, secondId, fleets.second ?? [], since)
  // Once: who deletes them all in a demo that has run does not want them back.
  if (claimed > 0) {
    await ensureLogo(services, companyId)
    await ensurePlaces(services, companyId)
    await ensureAlarms(services, companyId, since)
    await ensureOnCall(services, companyId)
    await ensureGroups(services, companyId)
    await ensureRecords(services, companyId)
    await ensureReports(services, companyId)
    await ensureShipments(services, companyId)
    await ensureDevelopers(services, companyId)
  }
  return {
    password,
    people: [main, second].flatMap(({ name, people }) =>
      people.map(({ email, role }) => ({ email, role, company: name })),
    ),
    isNew: claimed > 0,
    companyId,
    secretOf: (imei) => secrets[imei],
  }
}
