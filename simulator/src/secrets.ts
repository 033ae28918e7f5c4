import type { TrackerSpec } from './spec.ts'

export type SecretOf = (imei: string) => string | undefined | Promise<string | undefined>

/** Every tracker with its device secret; rejects when one has none, before anything is sent. */
export function secretsOf(
  fleet: readonly TrackerSpec[],
  secretOf: SecretOf,
): Promise<(readonly [TrackerSpec, string])[]> {
  return Promise.all(
    fleet.map(async (spec) => {
      const secret = await secretOf(spec.imei)
      if (!secret) throw new Error(`${spec.imei} (${spec.name}) has no secret`)
      return [spec, secret] as const
    }),
  )
}
