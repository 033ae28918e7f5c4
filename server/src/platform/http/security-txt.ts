import { localeNames } from '@isotherm/contract/common.ts'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../clock/clock.ts'
import type { Config } from '../config/config.ts'

const path = '/.well-known/security.txt'
/** RFC 9116 asks for less than a year. */
const goodForMs = 180 * 86_400_000

/** Says whom to tell of a weakness that somebody found, as RFC 9116 has it. */
export function serveSecurityTxt(
  app: FastifyInstance,
  { config, clock }: { config: Pick<Config, 'securityContact' | 'publicUrl'>; clock: Clock },
): void {
  app.get(path, { config: { guard: 'public' as const } }, (_, reply) => {
    const lines = [
      `Contact: ${config.securityContact}`,
      `Expires: ${new Date(clock.now().getTime() + goodForMs).toISOString()}`,
      `Preferred-Languages: ${localeNames.join(', ')}`,
      `Canonical: ${config.publicUrl}${path}`,
    ]
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
}
