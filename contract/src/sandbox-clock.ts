import { z } from 'zod'
import { get, post } from './call.ts'
import { Instant } from './common.ts'

/** As far as the clock of a sandbox is wound by one call. */
export const maxWindMinutes = 7 * 1_440
/** The clock of a new sandbox stands so many days in the past: as far as it can be wound at once, in several calls. */
export const sandboxDays = 28

/** The scenarios of a simulated device. */
export const ScenarioKind = z.enum(['doorOpen', 'powerCut', 'freezerFails', 'vanRoute'])
export type ScenarioKind = z.infer<typeof ScenarioKind>
/** Until all that a scenario shows is over, minutes: so far it winds the clock. */
export const scenarioMinutes = { doorOpen: 120, powerCut: 240, freezerFails: 720, vanRoute: 90 } as const

/** The clock of a sandbox stands in the past until it is wound; it never passes the real time. */
export const SandboxClock = z.object({
  now: Instant,
  beganAt: Instant,
  /** The instant that it is being wound to; null: it stands. */
  windsTo: Instant.nullable(),
  /** As far as it can be wound now: the real time. */
  windsUntil: Instant,
  /** Those that were played, the newest last. */
  scenarios: z.array(z.object({ kind: ScenarioKind, beganAt: Instant })),
})
export type SandboxClock = z.infer<typeof SandboxClock>

const minutes = z.number().int().min(1).max(maxWindMinutes)

export const sandboxClock = {
  show: get('/sandbox/clock', {
    needs: 'devices.view',
    summary: 'The clock of the sandbox; null where the company is none',
    returns: z.object({ clock: SandboxClock.nullable() }),
  }),
  wind: post('/sandbox/wind', {
    needs: 'devices.addOrEdit',
    summary:
      'Winds the clock of the sandbox forward: its devices send what they measured meanwhile, and alarms go by that',
    body: z.strictObject({ minutes }),
    returns: SandboxClock,
  }),
  play: post('/sandbox/scenarios', {
    needs: 'devices.addOrEdit',
    summary:
      'Has something happen to a simulated device of the sandbox from now on, and winds its clock until it is over',
    body: z.strictObject({ kind: ScenarioKind }),
    returns: SandboxClock,
  }),
}
