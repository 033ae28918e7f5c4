import { type SandboxClock, ScenarioKind, type sandboxClock } from '@isotherm/contract/sandbox-clock.ts'
import type { Handlers } from '../../platform/http/serve.ts'
import { type KnownClock, playScenario, showClock, type WindSandbox, windClock } from './clock-verbs.ts'

const presentClock = ({ row, scenarios, realNow }: KnownClock): SandboxClock => ({
  now: row.at.toISOString(),
  beganAt: row.began_at.toISOString(),
  windsTo: row.winds_to?.toISOString() ?? null,
  windsUntil: realNow.toISOString(),
  scenarios: scenarios.map(({ kind, began_at }) => ({
    kind: ScenarioKind.parse(kind),
    beganAt: began_at.toISOString(),
  })),
})

export const sandboxClockHandlers = (wind: WindSandbox): Handlers<typeof sandboxClock> => ({
  async show(ctx) {
    const known = await showClock(ctx)
    return { clock: known && presentClock(known) }
  },
  wind: async (ctx, { body }) => presentClock(await windClock(ctx, body.minutes, wind)),
  play: async (ctx, { body }) => presentClock(await playScenario(ctx, body.kind, wind)),
})
